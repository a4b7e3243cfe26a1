libcoldperf_a_SOURCES += \
	%D%/blocks.c %D%/count.c %D%/cpi.h \
	%D%/events.c %D%/notes.c %D%/paths.c %D%/rows.c %D%/show.c \
	%D%/tables.c
