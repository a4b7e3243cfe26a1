linux_sources += \
	%D%/cost.c %D%/cost.h %D%/host.c %D%/host.h %D%/plan.c %D%/plan.h \
	%D%/processes.c %D%/record.c %D%/record.h %D%/target.c
