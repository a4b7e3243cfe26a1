# Bytes to events.
libcoldperf_a_SOURCES += %D%/feature.h
libcoldperf_a_SOURCES += %D%/features.c %D%/features.h
libcoldperf_a_SOURCES += %D%/feature-events.c
libcoldperf_a_SOURCES += %D%/feature-host.c
libcoldperf_a_SOURCES += %D%/feature-bpf.c
libcoldperf_a_SOURCES += %D%/feature-simpleperf.c
libcoldperf_a_SOURCES += %D%/tracing.c %D%/tracing.h
