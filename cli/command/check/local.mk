coldperf_SOURCES += %D%/check.c %D%/stacks.c %D%/stacks.h
