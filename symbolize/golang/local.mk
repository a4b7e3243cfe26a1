libcoldperf_a_SOURCES += \
	%D%/frame-size.c %D%/lines.c %D%/module.c %D%/module.h %D%/table.h %D%/pclntab.c \
	%D%/pclntab.h %D%/symbols.c
