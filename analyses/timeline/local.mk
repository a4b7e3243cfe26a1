libcoldperf_a_SOURCES += \
	%D%/changepoints.c %D%/changepoints.h %D%/changes.c \
	%D%/changes.h %D%/heat.c %D%/heat.h %D%/lanes.c %D%/lanes.h \
	%D%/series.c %D%/series.h
