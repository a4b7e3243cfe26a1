libcoldperf_a_SOURCES += \
	%D%/critical.h %D%/past.c %D%/show.c %D%/texts.c %D%/texts.h %D%/tree.c \
	%D%/walk.c
