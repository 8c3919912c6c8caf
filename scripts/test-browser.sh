#!/usr/bin/env bash
# Tests in a real browser.
case "${1:-}" in
  -h | --help)
    echo "Runs the tests of screenshots in a real Chromium. Installs it if it is missing (Debian)."
    echo
    echo "Usage: npm run test:browser [-- VITEST-OPTION …]"
    exit 0
    ;;
esac
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/chromium.sh
exec node scripts/run.mjs vitest run --project browser "$@"
