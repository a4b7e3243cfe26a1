coldperf_SOURCES += \
	%D%/build.c %D%/build.h %D%/firefox.c %D%/folded.c %D%/folded.h %D%/folded-look.c \
	%D%/gecko.c %D%/gecko.h %D%/import.c %D%/import.h \
	%D%/input.c %D%/input.h %D%/json.c %D%/json.h %D%/otlp.c %D%/parsers.h \
	%D%/pprof.c %D%/proto.c %D%/proto.h %D%/said.c %D%/script.c \
	%D%/script-flat.c %D%/script-head.c %D%/script-head.h \
	%D%/simpleperf.c %D%/simpleperf-proto.c \
	%D%/speedscope.c
