coldperf_SOURCES = \
	%D%/cli.h \
	%D%/analyse.c \
	%D%/dump.c \
	%D%/filter.c %D%/filter.h \
	%D%/help.c \
	%D%/host.c %D%/host.h \
	%D%/label.c \
	%D%/main.c \
	%D%/naming.c \
	%D%/options.c %D%/options.h \
	%D%/output.c %D%/output.h \
	%D%/progress.c %D%/progress.h \
	%D%/run.c \
	%D%/script.c \
	%D%/status.c
coldperf_LDADD = $(CP_LIBS)
coldperf_LDFLAGS = $(AM_LDFLAGS) -rdynamic
