libcoldperf_a_SOURCES += \
	%D%/bzip2.c %D%/bzip2.h \
	%D%/inflate.c %D%/inflate.h %D%/libarchive.c %D%/libarchive.h %D%/read.c \
	%D%/read.h %D%/spool.c %D%/spool.h %D%/write.c %D%/write.h
