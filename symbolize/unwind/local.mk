libcoldperf_a_SOURCES += \
	%D%/arm-link.c %D%/function-rules.c %D%/go-runtime.c %D%/guess.c \
	%D%/jit.c %D%/memory.c %D%/objects.c %D%/rule.c %D%/run-arm.c \
	%D%/run-x86.c %D%/sigreturn.c %D%/stack-scan.c \
	%D%/step.c %D%/unwind.c %D%/unwind.h %D%/visited.h %D%/walk.h
