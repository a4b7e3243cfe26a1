libcoldperf_a_SOURCES += \
	%D%/arch.c %D%/arch.h %D%/arm-exidx.c %D%/arm-exidx.h %D%/cfi.c \
	%D%/cfi.h %D%/constants.h %D%/expression.c %D%/expression.h \
	%D%/fde-index.c %D%/fde-index.h %D%/fde.c %D%/fde.h \
	%D%/program.c %D%/tables.h
