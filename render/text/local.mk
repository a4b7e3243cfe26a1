libcoldperf_a_SOURCES += \
	%D%/charts.c %D%/charts.h %D%/lanes.c %D%/lanes.h %D%/names.c %D%/names.h \
	%D%/prose.c %D%/prose.h %D%/rest.c %D%/rest.h %D%/style.c %D%/style.h %D%/table.c %D%/table.h \
	%D%/tree.c %D%/tree.h
