libcoldperf_a_SOURCES += \
	%D%/code.c %D%/code.h %D%/mapping-symbols.c %D%/source-path.c \
	%D%/source-text.c \
	%D%/source-text.h
