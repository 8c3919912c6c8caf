#!/usr/bin/env bash
# Runs test/pages: every page for people in a real Chromium, by axe and Lighthouse. Both come from npm at these exact versions,
# into a folder that stays for the next run. Pictures of the pages are left in .galley/pages.
case "${1:-}" in
  -h | --help)
    echo "Looks at every page for people with axe and Lighthouse in a real Chromium; fetches both from npm."
    echo
    echo "Usage: npm run test:pages [-- VITEST-OPTION …]"
    exit 0
    ;;
esac
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
packages=(playwright-core@1.65.1 axe-core@4.14.1 lighthouse@13.5.0)
dir="$root/.galley/page-tools/$(echo "${packages[@]}" | cksum | cut -d' ' -f1)"
if [ ! -f "$dir/installed" ]; then
  mkdir -p "$dir"
  echo '{"private":true}' >"$dir/package.json"
  timeout 600 npm install --prefix "$dir" --save-exact --no-audit --no-fund --ignore-scripts --loglevel=error "${packages[@]}" >&2
  touch "$dir/installed"
fi
cd "$root"
. scripts/chromium.sh
# FETCH_ONLY=1 ends here: what comes from elsewhere is there.
[ -z "${FETCH_ONLY:-}" ] || exit 0
INSTALLED="$dir" timeout 1500 node scripts/run.mjs vitest run --project pages "$@"
