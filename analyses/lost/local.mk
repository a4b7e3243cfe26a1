libcoldperf_a_SOURCES += \
	%D%/chain-ends.c %D%/chain-ends.h %D%/cpus.c %D%/cpus.h %D%/lost-callers.c \
	%D%/lost-callers.h %D%/waits.c %D%/waits.h
