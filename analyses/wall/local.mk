libcoldperf_a_SOURCES += %D%/parts.c %D%/wall.h %D%/show.c
