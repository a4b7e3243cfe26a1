libcoldperf_a_SOURCES += \
	%D%/frames.c %D%/frames.h
