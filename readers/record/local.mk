libcoldperf_a_SOURCES += \
	%D%/compressed.c %D%/control.c %D%/decode-sample.c %D%/decode.c \
	%D%/decode.h %D%/lane.c %D%/plain.h %D%/odd-size.c %D%/salvage.c %D%/stream.c \
	%D%/stream-state.h %D%/stream.h %D%/window.c %D%/window.h
