libcoldperf_a_SOURCES += \
	%D%/blocked.c %D%/causes.c %D%/causes.h %D%/groups.c %D%/meanwhile.c %D%/meanwhile.h %D%/mix.c \
	%D%/mix.h %D%/on-cpu.c %D%/on-cpu.h %D%/places.c %D%/places.h %D%/programs.c \
	%D%/programs.h %D%/queues.c %D%/resources.c %D%/rules.h %D%/sites.c %D%/sites.h
