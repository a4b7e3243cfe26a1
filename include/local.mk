pkginclude_HEADERS += \
	%D%/coldperf/analysis.h %D%/coldperf/model.h %D%/coldperf/names.h \
	%D%/coldperf/pairs.h %D%/coldperf/plugin.h %D%/coldperf/precision.h \
	%D%/coldperf/profile.h %D%/coldperf/report.h \
	%D%/coldperf/samples.h %D%/coldperf/spans.h %D%/coldperf/tally.h \
	%D%/coldperf/diag.def %D%/coldperf/words.def

# For plug-ins: pkg-config --cflags coldperf
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/coldperf.pc
