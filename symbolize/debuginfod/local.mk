libcoldperf_a_SOURCES += \
	%D%/answers.c %D%/answers.h %D%/cache.c %D%/cache.h %D%/client.c \
	%D%/client.h %D%/misses.c %D%/misses.h %D%/stage.c %D%/stage.h
