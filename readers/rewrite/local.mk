libcoldperf_a_SOURCES += \
	%D%/feature.c %D%/file.c %D%/rewrite.c %D%/rewrite.h
