libcoldperf_a_SOURCES += \
	%D%/render.h %D%/list.def %D%/list.c \
	%D%/out.c %D%/out.h \
	%D%/escape.c %D%/escape.h \
	%D%/format.c %D%/format.h \
	%D%/kids.c %D%/kids.h \
	%D%/text.c %D%/text.h %D%/text-tree.c \
	%D%/text-prose.c \
	%D%/text-charts.c %D%/text-lanes.c \
	%D%/json.c \
	%D%/csv.c \
	%D%/folded.c \
	%D%/palette.c %D%/palette.h \
	%D%/flame.c %D%/flame.h \
	%D%/svg.c %D%/svg.h %D%/svg-picture.c %D%/svg-data.c \
	%D%/svg-chart.c %D%/svg-chart-data.c \
	%D%/html.c
EXTRA_DIST += %D%/picture.js %D%/flame.js %D%/chart.js \
	%D%/flame.css %D%/chart.css %D%/page.css %D%/embed.sed

# Lines of a text become C strings; comments and indents stay behind.
render_embedded = %D%/picture.js.inc %D%/flame.js.inc %D%/chart.js.inc \
	%D%/flame.css.inc %D%/chart.css.inc %D%/page.css.inc
BUILT_SOURCES += $(render_embedded)
CLEANFILES += $(render_embedded)
$(render_embedded): %D%/embed.sed
%D%/picture.js.inc: %D%/picture.js
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	sed -f $(srcdir)/%D%/embed.sed $(srcdir)/%D%/picture.js >$@.tmp && \
	mv $@.tmp $@
%D%/flame.js.inc: %D%/flame.js
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	sed -f $(srcdir)/%D%/embed.sed $(srcdir)/%D%/flame.js >$@.tmp && \
	mv $@.tmp $@
%D%/chart.js.inc: %D%/chart.js
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	sed -f $(srcdir)/%D%/embed.sed $(srcdir)/%D%/chart.js >$@.tmp && \
	mv $@.tmp $@
%D%/flame.css.inc: %D%/flame.css
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	sed -f $(srcdir)/%D%/embed.sed $(srcdir)/%D%/flame.css >$@.tmp && \
	mv $@.tmp $@
%D%/chart.css.inc: %D%/chart.css
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	sed -f $(srcdir)/%D%/embed.sed $(srcdir)/%D%/chart.css >$@.tmp && \
	mv $@.tmp $@
%D%/page.css.inc: %D%/page.css
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	sed -f $(srcdir)/%D%/embed.sed $(srcdir)/%D%/page.css >$@.tmp && \
	mv $@.tmp $@
%D%/svg.$(OBJEXT) %D%/html.$(OBJEXT): $(render_embedded)
