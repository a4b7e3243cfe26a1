libcoldperf_a_SOURCES += %D%/sandbox.h
linux_sources += %D%/landlock.c %D%/sandbox.c %D%/seccomp.c %D%/walls.h
darwin_sources += %D%/none.c
