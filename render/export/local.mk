libcoldperf_a_SOURCES += \
	%D%/callgrind.c %D%/dot.c %D%/firefox-code.c \
	%D%/firefox-code.h %D%/firefox-threads.c \
	%D%/firefox-threads.h %D%/firefox.c %D%/list.def %D%/ndjson.c \
	%D%/otlp.c %D%/perfetto-code.c %D%/perfetto-code.h \
	%D%/perfetto-format.h %D%/perfetto-packet.c \
	%D%/perfetto-packet.h %D%/perfetto-states.c \
	%D%/perfetto-states.h %D%/perfetto.c %D%/pprof.c \
	%D%/pprof-format.h %D%/pprof-was.c %D%/pprof-was.h \
	%D%/samples-csv.c %D%/snapshot.c %D%/speedscope.c
include render/export/common/local.mk
include render/export/snapshot/local.mk
