libcoldperf_a_SOURCES += %D%/bounds.c %D%/bounds.h
