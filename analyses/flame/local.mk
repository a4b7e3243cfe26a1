libcoldperf_a_SOURCES += \
	%D%/chart.c %D%/flame.h %D%/guessed.c %D%/lineage.c %D%/rows.c
