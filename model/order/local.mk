libcoldperf_a_SOURCES += \
	%D%/chain.c %D%/keep.c %D%/order.c %D%/order.h %D%/pool.c %D%/pool.h \
	%D%/queue.h %D%/sort.c %D%/sort.h
