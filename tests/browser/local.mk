# Tests of this folder; see tests/local.mk.
dist_check_SCRIPTS += %D%/flame.t %D%/chart.t %D%/address.t %D%/case.t %D%/exports.t %D%/firefox.t %D%/heat.t %D%/pictures.t %D%/shots.t
plain_tests += %D%/case.t %D%/flame.t %D%/address.t %D%/chart.t %D%/exports.t %D%/firefox.t
nightly_tests += %D%/shots.t %D%/heat.t %D%/pictures.t
EXTRA_DIST += %D%/browser.sh %D%/page.js %D%/flame.js %D%/chart.js \
	%D%/address.js %D%/case.js %D%/exports.js %D%/firefox.js %D%/heat.js %D%/marionette.js %D%/joined.js \
	%D%/pictures.js %D%/pictures-page.js %D%/shots.js \
	%D%/package.json %D%/package-lock.json %D%/.npmrc

# Fetches what the lock file names; the test skips without.
browser-deps:
	$(MKDIR_P) %D%
	for f in package.json package-lock.json .npmrc; do \
		cmp -s $(srcdir)/%D%/$$f %D%/$$f || \
			cp -f $(srcdir)/%D%/$$f %D%/$$f || exit 1; \
	done
	cd %D% && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci
.PHONY: browser-deps

# Pictures of pages that shots.t leaves.
clean-local:
	rm -rf %D%/shots
