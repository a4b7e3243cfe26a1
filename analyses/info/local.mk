libcoldperf_a_SOURCES += \
	%D%/errand.c %D%/errand.h \
	%D%/missing-files.c %D%/missing-files.h %D%/ways.c
