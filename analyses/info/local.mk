libcoldperf_a_SOURCES += \
	%D%/brief.c %D%/brief.h %D%/errand.c %D%/errand.h \
	%D%/missing-files.c %D%/missing-files.h
