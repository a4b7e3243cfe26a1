libcoldperf_a_SOURCES += \
	%D%/builtin.c %D%/check.c %D%/compile.c %D%/compiler.h %D%/eval.c \
	%D%/expr.h %D%/formats.h %D%/given.c %D%/helpers.c %D%/lexer.c \
	%D%/machine.h %D%/operands.c %D%/print.c %D%/print-fields.c \
	%D%/print-format.h %D%/print.h %D%/print-value.c %D%/view.h
