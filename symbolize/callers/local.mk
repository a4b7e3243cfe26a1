libcoldperf_a_SOURCES += %D%/callers.c %D%/callers.h %D%/frameless.c \
	%D%/frameless.h %D%/infer.c %D%/infer.h %D%/kept.c %D%/kept.h
