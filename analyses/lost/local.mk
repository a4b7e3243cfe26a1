libcoldperf_a_SOURCES += \
	%D%/cpus.c %D%/cpus.h %D%/repeats.c %D%/repeats.h \
	%D%/waits.c %D%/waits.h
