libcoldperf_a_SOURCES += \
	%D%/brief.c %D%/brief.h %D%/count.c %D%/count.h \
	%D%/data-source.c %D%/data-source.h %D%/tables.c %D%/tables.h
