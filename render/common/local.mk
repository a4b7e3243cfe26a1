libcoldperf_a_SOURCES += \
	%D%/escape.c %D%/escape.h %D%/format.c %D%/format.h %D%/out.c \
	%D%/out.h %D%/tree-order.c %D%/tree-order.h
