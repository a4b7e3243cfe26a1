libcoldperf_a_SOURCES += \
	%D%/blocks.c %D%/count.h %D%/events.c %D%/notes.c %D%/paths.c \
	%D%/tables.c
