libcoldperf_a_SOURCES += \
	%D%/escape.c %D%/escape.h %D%/format.c %D%/format.h %D%/left.c \
	%D%/left.h %D%/out.c %D%/out.h %D%/tree-order.c %D%/tree-order.h \
	%D%/tree-value.c %D%/tree-value.h
