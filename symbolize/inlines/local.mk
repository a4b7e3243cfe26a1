libcoldperf_a_SOURCES += \
	%D%/ask.c %D%/ask.h %D%/inline-cache.c %D%/inline-cache.h \
	%D%/inlines.c %D%/inlines.h %D%/request.h %D%/split-files.c \
	%D%/split-files.h
