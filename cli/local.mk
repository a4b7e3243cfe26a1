coldperf_SOURCES = \
	%D%/cli.h \
	%D%/analyse.c \
	%D%/bundle.c %D%/bundle.h \
	%D%/code.c \
	%D%/dump.c \
	%D%/filter.c %D%/filter.h \
	%D%/help.c \
	%D%/host.c %D%/host.h \
	%D%/jit.c \
	%D%/label.c \
	%D%/listing.c \
	%D%/main.c \
	%D%/naming.c %D%/inlining.c \
	%D%/pack.c %D%/packlist.c %D%/packlist.h \
	%D%/packunwound.c %D%/packunwound.h \
	%D%/plugin.c %D%/plugin.h \
	%D%/options.c %D%/options.h \
	%D%/output.c %D%/output.h \
	%D%/progress.c %D%/progress.h \
	%D%/run.c \
	%D%/sample.c \
	%D%/script.c \
	%D%/symbols.c %D%/symbols.h %D%/fetch.c \
	%D%/sideband.c \
	%D%/status.c \
	%D%/unpack.c \
	%D%/unwinding.c \
	%D%/verify.c \
	%D%/weight.c
coldperf_LDADD = $(CP_LIBS)
# What plug-ins may call: the functions that plugin.h makes visible.
coldperf_LDFLAGS = $(SAN_FLAGS) $(COV_FLAGS) \
	-Wl,--dynamic-list=$(srcdir)/%D%/exports.list
coldperf_DEPENDENCIES = libcoldperf.a $(srcdir)/%D%/exports.list
EXTRA_DIST += %D%/exports.list
