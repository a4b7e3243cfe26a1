dist_check_SCRIPTS += %D%/decode.t %D%/marks.t %D%/policy.t
plain_tests += %D%/decode.t %D%/marks.t %D%/policy.t
EXTRA_DIST += %D%/blocks.js %D%/package.json %D%/print.js %D%/raw-deflate.cjs %D%/states.js %D%/sums.js

# The script without a browser.
dist_check_SCRIPTS += %D%/axis.t %D%/captures.t %D%/changes.t %D%/embedded.t %D%/joined.t %D%/lint.t %D%/listing.t %D%/model.t %D%/numbers.t %D%/panels.t %D%/types.t
plain_tests += %D%/captures.t %D%/changes.t %D%/embedded.t %D%/listing.t %D%/numbers.t
# These run nothing of ours that sanitizers could look at.
if !SANITIZED
thorough_tests += %D%/model.t %D%/numbers.t
TESTS += %D%/axis.t %D%/joined.t %D%/lint.t %D%/model.t %D%/panels.t %D%/types.t
endif
EXTRA_DIST += %D%/axis.js %D%/captures.js %D%/embedded.js %D%/eslint.config.js %D%/fake.js %D%/joined.js %D%/listing-exact.js %D%/listing.js %D%/model.js %D%/numbers.js %D%/panels.js %D%/tsconfig.json
