libcoldperf_a_SOURCES += \
	%D%/brief.c %D%/brief.h %D%/lock-events.c %D%/lock-events.h \
	%D%/requests-in-flight.c %D%/requests-in-flight.h %D%/tables.c \
	%D%/tables.h %D%/trees.c %D%/trees.h %D%/wait-class.c \
	%D%/wait-class.h %D%/waits.c %D%/waits.h %D%/watch.c %D%/watch.h
