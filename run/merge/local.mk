coldperf_SOURCES += \
	%D%/contents.c %D%/contents.h %D%/events.c %D%/events.h %D%/gather.c %D%/gather.h \
	%D%/merge.c %D%/merge.h %D%/part.c %D%/part.h %D%/union.h
