libcoldperf_a_SOURCES += \
	%D%/longest.c %D%/oncpu.c %D%/oncpu.h %D%/tables.c %D%/tables.h %D%/trees.c \
	%D%/trees.h %D%/wait-class.c %D%/wait-class.h %D%/waits.c \
	%D%/waits.h %D%/wall.c %D%/wall.h %D%/watch.c %D%/watch.h
