#!/usr/bin/env bash
# Runs test/cms against the real CMSs: scripts/cms/NAME.sh starts each one with all it makes in a folder of its own, and prints
# KEY=value lines the tests read from the environment. Everything is stopped at the end.
# Usage: scripts/test-cms.sh [NAME …] [-- vitest arguments]; without names, every CMS that has a script.
case "${1:-}" in
  -h | --help)
    echo "Runs the adapters' tests against a real WordPress, Ghost, Directus and Strapi, which it fetches, installs and starts (Debian)."
    echo
    echo "Usage: npm run test:cms [-- NAME … [-- VITEST-OPTION …]]"
    exit 0
    ;;
esac
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
names=()
while [ "$#" -gt 0 ] && [ "$1" != "--" ]; do
  names+=("$1")
  shift
done
[ "${1:-}" != "--" ] || shift
if [ "${#names[@]}" -eq 0 ]; then
  for script in "$root"/scripts/cms/*.sh; do names+=("$(basename "$script" .sh)"); done
fi

dir=$(mktemp -d /tmp/galley-cms.XXXXXX)
stop() {
  # Process groups by their ids, written down by the step that started them.
  for file in "$dir"/*/groups; do
    [ -f "$file" ] || continue
    while read -r group; do kill -TERM -- "-$group" 2>/dev/null || true; done <"$file"
  done
  if [ -n "${KEEP_LOGS:-}" ]; then echo "Logs: $dir" >&2; else rm -rf "$dir" 2>/dev/null || { sleep 1; rm -rf "$dir"; }; fi
}
trap stop EXIT
trap 'exit 130' INT TERM

tests=()
for name in "${names[@]}"; do
  mkdir -p "$dir/$name"
  timeout 2100 bash "$root/scripts/cms/$name.sh" "$dir/$name" >"$dir/$name/env"
  while IFS= read -r line; do export "${line?}"; done <"$dir/$name/env"
  tests+=("test/cms/$name")
done
[ -z "${FETCH_ONLY:-}" ] || exit 0
cd "$root"
# WALKS=500 takes its time: some seconds for each. CARE=whole is a blog of 300 posts.
long=0
[ -z "${CARE:-}" ] || long=3600
timeout "$((1800 + ${WALKS:-0} * 30 + long))" node scripts/run.mjs vitest run --project cms "${tests[@]}" "$@"
