libcoldperf_a_SOURCES += \
	%D%/lines.c %D%/listing.c %D%/shares.h %D%/sources.c
