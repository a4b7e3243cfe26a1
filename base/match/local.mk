libcoldperf_a_SOURCES += \
	%D%/nearest.c %D%/nearest.h %D%/parts.c %D%/pattern.c %D%/pattern.h \
	%D%/short-name.c %D%/short-name.h %D%/simplify.c %D%/simplify.h \
	%D%/symbol.c
