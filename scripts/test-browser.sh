#!/usr/bin/env bash
# Tests in a real browser.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/chromium.sh
exec node scripts/run.mjs vitest run --config vitest.browser.config.ts "$@"
