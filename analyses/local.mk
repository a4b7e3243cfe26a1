libcoldperf_a_SOURCES += \
	%D%/list.c %D%/list.h %D%/list.def \
	%D%/account.c %D%/account.h \
	%D%/callers.c %D%/callers.h \
	%D%/downwards.c %D%/downwards.h \
	%D%/entities.c %D%/entities.h \
	%D%/groups.c %D%/groups.h \
	%D%/load.c %D%/load.h \
	%D%/options.c %D%/options.h \
	%D%/paths.c %D%/paths.h \
	%D%/sums.c %D%/sums.h \
	%D%/unnamed.c %D%/unnamed.h \
	%D%/words.c %D%/words.h \
	%D%/flame.c \
	%D%/hotspots.c \
	%D%/info.c \
	%D%/quality.c \
	%D%/report.c
