pkginclude_HEADERS += %D%/coldperf/plugin.h %D%/coldperf/profile.h \
	%D%/coldperf/spans.h \
	%D%/coldperf/diag.def %D%/coldperf/words.def

# For plug-ins: pkg-config --cflags coldperf
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/coldperf.pc
