libcoldperf_a_SOURCES += \
	%D%/csv.c %D%/folded.c %D%/html.c %D%/json.c %D%/list.c \
	%D%/list.def %D%/render.h %D%/svg.c %D%/text.c
include render/common/local.mk
include render/svg/local.mk
include render/text/local.mk

EXTRA_DIST += %D%/svg/picture.js %D%/svg/flame.js %D%/svg/chart.js \
	%D%/svg/flame.css %D%/svg/chart.css %D%/page.css %D%/embed.sed

# Lines of a text become C strings; comments and indents stay behind.
render_embedded = %D%/svg/picture.js.inc %D%/svg/flame.js.inc %D%/svg/chart.js.inc \
	%D%/svg/flame.css.inc %D%/svg/chart.css.inc %D%/page.css.inc
BUILT_SOURCES += $(render_embedded)
CLEANFILES += $(render_embedded)
$(render_embedded): %D%/embed.sed
%D%/svg/picture.js.inc: %D%/svg/picture.js
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	sed -f $(srcdir)/%D%/embed.sed $(srcdir)/%D%/svg/picture.js >$@.tmp && \
	mv $@.tmp $@
%D%/svg/flame.js.inc: %D%/svg/flame.js
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	sed -f $(srcdir)/%D%/embed.sed $(srcdir)/%D%/svg/flame.js >$@.tmp && \
	mv $@.tmp $@
%D%/svg/chart.js.inc: %D%/svg/chart.js
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	sed -f $(srcdir)/%D%/embed.sed $(srcdir)/%D%/svg/chart.js >$@.tmp && \
	mv $@.tmp $@
%D%/svg/flame.css.inc: %D%/svg/flame.css
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	sed -f $(srcdir)/%D%/embed.sed $(srcdir)/%D%/svg/flame.css >$@.tmp && \
	mv $@.tmp $@
%D%/svg/chart.css.inc: %D%/svg/chart.css
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	sed -f $(srcdir)/%D%/embed.sed $(srcdir)/%D%/svg/chart.css >$@.tmp && \
	mv $@.tmp $@
%D%/page.css.inc: %D%/page.css
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	sed -f $(srcdir)/%D%/embed.sed $(srcdir)/%D%/page.css >$@.tmp && \
	mv $@.tmp $@
%D%/svg/section.$(OBJEXT) %D%/html.$(OBJEXT): $(render_embedded)
