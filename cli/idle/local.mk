coldperf_SOURCES += %D%/idle.c %D%/idle.h
