libcoldperf_a_SOURCES += \
	%D%/arm-link.c %D%/arm-link.h %D%/budget.c %D%/budget.h \
	%D%/frames.h %D%/full-step.c %D%/full-step.h %D%/function-rules.c %D%/function-rules.h \
	%D%/go-runtime.c %D%/go-runtime.h %D%/guess.c %D%/guess.h %D%/jit.c \
	%D%/jit.h %D%/memory.c %D%/memory.h %D%/objects.c %D%/objects.h \
	%D%/rule.c %D%/rule.h %D%/rule-lookup.c %D%/rule-lookup.h \
	%D%/run-arm.c %D%/run-arm.h %D%/run-x86.c %D%/run-x86.h \
	%D%/sigreturn.c %D%/sigreturn.h %D%/stack-scan.c %D%/stack-scan.h \
	%D%/step.c %D%/step.h %D%/unwind.c %D%/unwind.h %D%/visited.h \
	%D%/walk.h
