libcoldperf_a_SOURCES += \
	%D%/escape.c %D%/escape.h %D%/fit-name.c %D%/fit-name.h %D%/format.c %D%/format.h \
	%D%/json-report.c %D%/json-report.h %D%/left.c %D%/left.h %D%/out.c %D%/out.h \
	 %D%/tree-order.c %D%/tree-order.h %D%/tree-value.c \
	%D%/tree-value.h
