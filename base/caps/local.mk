libcoldperf_a_SOURCES += %D%/caps.c %D%/caps.def %D%/caps.h
