libcoldperf_a_SOURCES += \
	%D%/chart.c %D%/chart.h %D%/guessed.c %D%/guessed.h \
	%D%/lineage.c %D%/lineage.h %D%/rows.c %D%/rows.h
