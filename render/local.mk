libcoldperf_a_SOURCES += \
	%D%/csv.c %D%/folded.c %D%/html.c %D%/json.c %D%/junit.c %D%/list.c \
	%D%/list.def %D%/render.h %D%/markdown.c %D%/svg.c %D%/text.c
include render/common/local.mk
include render/page/local.mk
include render/export/local.mk
include render/svg/local.mk
include render/text/local.mk

# A script is its parts in this order: they are one function in a picture.
render_picture_js = %D%/page/numbers.js %D%/svg/picture.js
render_flame_js = %D%/page/names.js %D%/page/boxes.js \
	%D%/svg/flame-chart.js %D%/svg/flame-frames.js %D%/svg/flame-zoom.js \
	%D%/svg/flame-search.js %D%/svg/flame-link.js %D%/svg/flame-input.js
render_chart_js = %D%/svg/chart-maps.js %D%/svg/chart-lanes.js \
	%D%/svg/chart-input.js
EXTRA_DIST += $(render_picture_js) $(render_flame_js) $(render_chart_js) \
	%D%/svg/flame.css %D%/svg/chart.css %D%/embed.sed \
	$(render_page_js) $(render_page_css) %D%/page/package.json \
	%D%/page/unpack.js

# The page's parts are modules to Node, each before those that import it.
render_page_js = %D%/page/decode.js %D%/page/numbers.js %D%/page/names.js \
	%D%/page/short.js %D%/page/palette.js %D%/page/boxes.js \
	%D%/page/funcs.js %D%/page/folded.js %D%/page/dom.js \
	%D%/page/search.js %D%/page/pen.js %D%/page/paths.js \
	%D%/page/filter.js %D%/page/nodes.js %D%/page/shape.js \
	%D%/page/rows.js %D%/page/tree.js %D%/page/in-time.js \
	%D%/page/opened.js %D%/page/pools.js \
	%D%/page/table.js %D%/page/cells.js \
	%D%/page/series.js %D%/page/waits.js \
	%D%/page/captures.js %D%/page/change.js %D%/page/cpi.js \
	%D%/page/model.js %D%/page/state.js %D%/page/words.js \
	%D%/page/grid.js %D%/page/precision.js %D%/page/tree-grid.js %D%/page/view-table.js \
	%D%/page/listing.js %D%/page/view-source.js %D%/page/view-change.js \
	%D%/page/view-tree.js %D%/page/evidence.js %D%/page/panels.js \
	%D%/page/frames.js %D%/page/notes.js %D%/page/export.js \
	%D%/page/shell.js %D%/page/keys.js %D%/page/app.js \
	%D%/page/tip.js %D%/page/facts.js %D%/page/flame.js \
	%D%/page/flame-view.js %D%/page/time-window.js %D%/page/strip.js \
	%D%/page/lane-rows.js %D%/page/lane-paint.js %D%/page/lanes.js \
	%D%/page/pictures.js %D%/page/boot.js %D%/page/main.js
render_page_css = %D%/page/page.css %D%/page/views.css

# Lines of a text become C strings; comments and indents are left out.
render_embed = $(AM_V_GEN)$(MKDIR_P) $(@D) && \
	(cd $(srcdir) && cat $(render_parts)) | \
	sed -f $(srcdir)/%D%/embed.sed $(render_join) >$@.tmp && mv $@.tmp $@
render_embedded = %D%/svg/picture.js.inc %D%/svg/flame.js.inc %D%/svg/chart.js.inc \
	%D%/svg/flame.css.inc %D%/svg/chart.css.inc \
	%D%/page/page.js.inc %D%/page/unpack.js.inc %D%/page/page.css.inc
BUILT_SOURCES += $(render_embedded)
CLEANFILES += $(render_embedded)
$(render_embedded): %D%/embed.sed
%D%/svg/picture.js.inc: render_parts = $(render_picture_js)
%D%/svg/picture.js.inc: $(render_picture_js)
	$(render_embed)
%D%/svg/flame.js.inc: render_parts = $(render_flame_js)
%D%/svg/flame.js.inc: $(render_flame_js)
	$(render_embed)
%D%/svg/chart.js.inc: render_parts = $(render_chart_js)
%D%/svg/chart.js.inc: $(render_chart_js)
	$(render_embed)
%D%/svg/flame.css.inc: render_parts = %D%/svg/flame.css
%D%/svg/flame.css.inc: %D%/svg/flame.css
	$(render_embed)
%D%/svg/chart.css.inc: render_parts = %D%/svg/chart.css
%D%/svg/chart.css.inc: %D%/svg/chart.css
	$(render_embed)
%D%/page/page.js.inc: render_parts = $(render_page_js)
%D%/page/page.js.inc: $(render_page_js)
	$(render_embed)
%D%/page/unpack.js.inc: render_parts = %D%/page/unpack.js
%D%/page/unpack.js.inc: %D%/page/unpack.js
	$(render_embed)
%D%/page/page.css.inc: render_join = -e 's/\([{};]\)\\n",$$/\1",/'
%D%/page/page.css.inc: render_parts = $(render_page_css)
%D%/page/page.css.inc: $(render_page_css)
	$(render_embed)
%D%/svg/section.$(OBJEXT) %D%/page/page.$(OBJEXT): $(render_embedded)
