libcoldperf_a_SOURCES += \
	%D%/accounts.c %D%/begun.c %D%/begun.h %D%/match.c %D%/match.h %D%/measure.c %D%/over-time.c %D%/recipe-file.c %D%/recipes.c %D%/recipes.h \
	%D%/tables.c
# The recipes, to be read and copied; the program has them as strings.
dist_pkgdata_DATA = %D%/recipes.conf
BUILT_SOURCES += %D%/recipes.inc
CLEANFILES += %D%/recipes.inc
%D%/recipe-file.$(OBJEXT): %D%/recipes.inc
%D%/recipes.inc: %D%/recipes.conf
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed -e '/^#/d' -e '/^$$/d' -e 's/.*/"&",/' \
	    $(srcdir)/%D%/recipes.conf >$@.tmp && mv $@.tmp $@
