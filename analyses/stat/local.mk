libcoldperf_a_SOURCES += %D%/counts.c %D%/counts.h %D%/metric.c %D%/metric.h
