libcoldperf_a_SOURCES += %D%/spill.c %D%/spill.h
