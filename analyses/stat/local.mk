libcoldperf_a_SOURCES += %D%/compared.c %D%/compared.h %D%/counts.c %D%/counts.h %D%/metric.c %D%/metric.h
