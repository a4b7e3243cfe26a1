libcoldperf_a_SOURCES += \
	%D%/lines.c %D%/lines.h %D%/listing.c %D%/listing.h %D%/shares.c \
	%D%/shares.h %D%/sources.c %D%/sources.h
