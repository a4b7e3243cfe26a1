libcoldperf_a_SOURCES += \
	%D%/annotate.h %D%/heavy.c %D%/hottest.c %D%/lines.c %D%/listing.c \
	%D%/near.c %D%/shares.c %D%/sources.c %D%/wanted.c
