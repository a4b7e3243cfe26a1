libcoldperf_a_SOURCES += \
	%D%/about.c %D%/about.h %D%/call-graph.c %D%/call-graph.h \
	%D%/callgrind.c %D%/dot.c %D%/escaped.c %D%/escaped.h \
	%D%/flat.c %D%/flat.h %D%/firefox-code.c \
	%D%/firefox-threads.c %D%/firefox.c %D%/firefox.h %D%/from-tree.c %D%/functions.c \
	%D%/functions.h %D%/gzip.c %D%/gzip.h %D%/json-text.c \
	%D%/json-text.h %D%/list.def %D%/ndjson.c %D%/samples-csv.c %D%/otlp.c \
	%D%/perfetto-code.c %D%/perfetto-format.h %D%/perfetto-states.c \
	%D%/perfetto.c %D%/perfetto.h %D%/pprof.c %D%/proto.c %D%/proto.h \
	%D%/samples.c %D%/samples.h %D%/speedscope.c
