coldperf_SOURCES += \
	%D%/compress.c %D%/compress.h %D%/copy.c %D%/frames.c %D%/frames.h \
	%D%/records.c %D%/records.h %D%/renamed.c %D%/snapshot.c
