#!/usr/bin/env bash
# Runs test/bluesky against the real reference server of the AT protocol (@atproto/pds), installed once into .galley/bluesky
# (two minutes, 551 packages). It is stopped at the end.
case "${1:-}" in
  -h | --help)
    echo "Runs the tests of Bluesky against the real reference server (@atproto/pds from npm), which it installs and starts."
    echo
    echo "Usage: npm run test:bluesky [-- VITEST-OPTION …]"
    exit 0
    ;;
esac
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
version=0.5.35
kept="$root/.galley/bluesky/$version"

# What is fetched is put together beside its place and moved there whole, so that a run that was cut off leaves nothing half-done.
if [ ! -d "$kept" ]; then
  echo "Fetching @atproto/pds $version (two minutes, once) …" >&2
  mkdir -p "$(dirname "$kept")"
  fresh=$(mktemp -d "$(dirname "$kept")/fetch.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  echo "{\"private\": true, \"dependencies\": {\"@atproto/pds\": \"$version\"}}" >"$fresh/package.json"
  (cd "$fresh" && timeout 900 npm install --ignore-scripts --no-audit --no-fund) >"$fresh/install.log" 2>&1 ||
    { tail -n 40 "$fresh/install.log" >&2; exit 1; }
  # better-sqlite3 was not compiled: Node's own SQLite stands in its place.
  cp "$root/scripts/bluesky/sqlite.cjs" "$fresh/node_modules/better-sqlite3/lib/index.js"
  mv -T "$fresh" "$kept" 2>/dev/null || true
fi

# FETCH_ONLY=1 ends here: what comes from elsewhere is there.
[ -z "${FETCH_ONLY:-}" ] || exit 0

dir=$(mktemp -d /tmp/galley-bluesky.XXXXXX)
server=
stop() {
  [ -z "$server" ] || kill -TERM "$server" 2>/dev/null || true
  if [ -n "${KEEP_LOGS:-}" ]; then echo "Logs: $dir" >&2; else rm -rf "$dir" 2>/dev/null || { sleep 1; rm -rf "$dir"; }; fi
}
trap stop EXIT
trap 'exit 130' INT TERM

mkdir "$dir/data" "$dir/blobs"
own="$root/node_modules/.bin/node"
[ -x "$own" ] || own=node
. "$root/scripts/free-port.sh"
free_port
(cd "$kept" && PORT=$port exec "$own" "$root/scripts/bluesky/pds.mjs" "$dir") >"$dir/server.log" 2>"$dir/errors.log" &
server=$!
for _ in $(seq 1 240); do
  grep -qx ready "$dir/server.log" && break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.5
done
grep -qx ready "$dir/server.log" || { tail -n 30 "$dir/errors.log" >&2; exit 1; }
while IFS= read -r line; do export "${line?}"; done < <(grep '^BLUESKY_' "$dir/server.log")

cd "$root"
timeout 600 node scripts/run.mjs vitest run --project bluesky "$@"
