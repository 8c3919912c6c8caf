#!/usr/bin/env bash
# Runs test/pages: the pages for people in a real Chromium, by axe and Lighthouse. Pictures of the pages are left in .galley/pages.
case "${1:-}" in
  -h | --help)
    echo "Tests the pages for people in a real Chromium: each with axe, one of each template with Lighthouse. Fetches both from npm."
    echo "Compares six of them with the pictures in test/pages/kept. PICTURES=new makes those again."
    echo
    echo "Usage: npm run test:pages [-- [all] [VITEST-OPTION …]]"
    echo
    echo "  all   Lighthouse opens every page instead of one of each template"
    exit 0
    ;;
esac
set -euo pipefail
if [ "${1:-}" = all ]; then
  export ALL_PAGES=1
  shift
fi
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/page-tools.sh"
cd "$root"
# FETCH_ONLY=1 ends here: what comes from elsewhere is there.
[ -z "${FETCH_ONLY:-}" ] || exit 0
timeout 1500 node scripts/run.mjs vitest run --project pages "$@"
