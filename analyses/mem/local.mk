libcoldperf_a_SOURCES += \
	%D%/data-source.c %D%/data-source.h
