coldperf_SOURCES = \
	%D%/cli.h %D%/commands.c %D%/commands.h %D%/help.c %D%/help.h \
	%D%/main.c %D%/options.c %D%/options.h %D%/output.c %D%/output.h \
	%D%/plugin.c %D%/plugin.h %D%/progress.c %D%/progress.h \
	%D%/report-output.c %D%/report-output.h %D%/status.c %D%/status.h
include cli/command/local.mk
coldperf_LDADD = $(CP_LIBS)
# What plug-ins may call: the functions that plugin.h makes visible.
coldperf_LDFLAGS = $(SAN_FLAGS) $(COV_FLAGS) \
	-Wl,--dynamic-list=$(srcdir)/%D%/exports.list
coldperf_DEPENDENCIES = libcoldperf.a $(srcdir)/%D%/exports.list
EXTRA_DIST += %D%/exports.list
