libcoldperf_a_SOURCES += \
	%D%/accounts.c %D%/begun.c %D%/begun.h %D%/match.c %D%/match.h %D%/measure.c %D%/over-time.c %D%/recipe-file.c %D%/recipe-file.h %D%/recipes.c %D%/recipes.def %D%/recipes.h \
	%D%/tables.c
