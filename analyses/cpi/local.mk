libcoldperf_a_SOURCES += \
	%D%/blocks.c %D%/blocks.h %D%/brief.c %D%/brief.h %D%/count.c \
	%D%/count.h %D%/events.c %D%/events.h %D%/notes.c %D%/notes.h \
	%D%/paths.c %D%/paths.h %D%/rows.c %D%/rows.h %D%/show.c \
	%D%/show.h %D%/tables.c %D%/tables.h
