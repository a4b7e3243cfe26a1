pkginclude_HEADERS += %D%/coldperf/plugin.h %D%/coldperf/diag.def
