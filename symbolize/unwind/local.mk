libcoldperf_a_SOURCES += \
	%D%/arm-link.c %D%/budget.c \
	%D%/frames.h %D%/full-step.c %D%/function-rules.c %D%/function-rules.h \
	%D%/go-runtime.c %D%/go-runtime.h %D%/guess.c %D%/jit.c \
	%D%/jit.h %D%/memory.c %D%/memory.h %D%/objects.c %D%/objects.h \
	%D%/rule.c %D%/rule.h %D%/rule-lookup.c %D%/rule-lookup.h \
	%D%/run-arm.c %D%/run-x86.c \
	%D%/sigreturn.c %D%/stack-scan.c \
	%D%/step.c %D%/unwind.c %D%/unwind.h %D%/visited.h \
	%D%/walk.h
