libcoldperf_a_SOURCES += \
	%D%/charts.c %D%/lanes.c %D%/prose.c %D%/style.h %D%/tree.c
