libcoldperf_a_SOURCES += \
	%D%/compressed.c %D%/control.c %D%/counts.c %D%/decode-perf.c \
	%D%/decode-sample.c %D%/decode.c %D%/decode.h %D%/decoded.h \
	%D%/extra.c %D%/fits.c %D%/lane.c %D%/look-through.c %D%/mend.c %D%/neighbours.c \
	%D%/odd-size.c %D%/plain.h %D%/ranges.c %D%/ranges.h \
	%D%/salvage.c %D%/simpleperf-symbols.c %D%/stream-state.h \
	%D%/stream.c %D%/stream.h %D%/trial.c %D%/vouch.c %D%/window.c %D%/window.h
