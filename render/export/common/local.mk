libcoldperf_a_SOURCES += \
	%D%/about.c %D%/about.h %D%/call-graph.c %D%/call-graph.h \
	%D%/escaped.c %D%/escaped.h %D%/flat.c %D%/flat.h \
	%D%/from-tree.c %D%/functions.c \
	%D%/functions.h %D%/gzip.c %D%/gzip.h %D%/json-text.c \
	%D%/json-text.h %D%/proto.c %D%/proto.h %D%/rows.h \
	%D%/samples.c %D%/samples.h
