libcoldperf_a_SOURCES += \
	%D%/libarchive.c %D%/libarchive.h %D%/read.c %D%/read.h %D%/write.c \
	%D%/write.h
