libcoldperf_a_SOURCES += %D%/runs.c %D%/runs.h %D%/trend.c %D%/trend.h
