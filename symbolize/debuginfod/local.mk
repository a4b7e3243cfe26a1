libcoldperf_a_SOURCES += \
	%D%/cache.c %D%/cache.h %D%/client.c %D%/client.h %D%/misses.c \
	%D%/misses.h
