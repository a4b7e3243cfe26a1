libcoldperf_a_SOURCES += \
	%D%/inline-cache.c %D%/inline-cache.h \
	%D%/inlines.c %D%/inlines.h %D%/split-files.c %D%/split-files.h
