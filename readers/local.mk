# Bytes to events.
libcoldperf_a_SOURCES += %D%/feature.h
libcoldperf_a_SOURCES += %D%/features.c %D%/features.h
libcoldperf_a_SOURCES += %D%/feature-events.c
libcoldperf_a_SOURCES += %D%/feature-host.c
libcoldperf_a_SOURCES += %D%/feature-bpf.c
libcoldperf_a_SOURCES += %D%/feature-simpleperf.c
libcoldperf_a_SOURCES += %D%/tracing.c %D%/tracing.h
libcoldperf_a_SOURCES += \
	%D%/list.def \
	%D%/account.c \
	%D%/attr.c %D%/attr.h \
	%D%/attrs.c \
	%D%/bundle.c \
	%D%/compressed.c \
	%D%/control.c \
	%D%/decode.c %D%/decode.h \
	%D%/decode-sample.c \
	%D%/directory.c \
	%D%/file.c \
	%D%/header.c %D%/header.h \
	%D%/input.c %D%/input.h \
	%D%/jitdump.c %D%/jitdump.h \
	%D%/kept.c %D%/kept.h \
	%D%/magic.h \
	%D%/pipe.c \
	%D%/reader.c %D%/reader.h \
	%D%/rewrite.c %D%/rewrite.h \
	%D%/rewritefile.c %D%/rewritefeature.c \
	%D%/salvage.c \
	%D%/lane.c %D%/plain.h \
	%D%/stream.c %D%/stream.h \
	%D%/view.c %D%/view.h \
	%D%/window.c %D%/window.h
