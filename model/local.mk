# The vocabulary of perf.
libcoldperf_a_SOURCES += %D%/dso.c %D%/dso.h
libcoldperf_a_SOURCES += %D%/info.c %D%/info.h
libcoldperf_a_SOURCES += %D%/tracepoint.c %D%/tracepoint.h
