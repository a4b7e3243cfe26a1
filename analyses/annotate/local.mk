libcoldperf_a_SOURCES += \
	%D%/heavy.c %D%/heavy.h %D%/hottest.c %D%/hottest.h \
	%D%/lines.c %D%/lines.h %D%/listing.c %D%/listing.h \
	%D%/near.c %D%/near.h %D%/shares.c %D%/shares.h \
	%D%/sources.c %D%/sources.h %D%/wanted.c %D%/wanted.h
