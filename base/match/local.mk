libcoldperf_a_SOURCES += \
	%D%/nearest.c %D%/nearest.h %D%/pattern.c %D%/pattern.h
