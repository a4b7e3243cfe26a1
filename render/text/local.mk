libcoldperf_a_SOURCES += \
	%D%/charts.c %D%/text.h %D%/charts.h %D%/lanes.c %D%/names.c %D%/names.h \
	%D%/prose.c %D%/rest.c %D%/rest.h %D%/style.c %D%/style.h %D%/table.c \
	%D%/telling.c %D%/telling.h %D%/telling-place.c %D%/tree.c \
	%D%/widths.c %D%/widths.h
