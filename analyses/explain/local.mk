libcoldperf_a_SOURCES += \
	%D%/compare.c %D%/explain.h %D%/sentences.c %D%/windows.c
