libcoldperf_a_SOURCES += \
	%D%/bins.c %D%/bins.h %D%/column.c %D%/column.h %D%/page.c %D%/page.h %D%/static.c \
	%D%/static.h %D%/strings.c %D%/strings.h %D%/tables.c
