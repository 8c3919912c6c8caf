#!/usr/bin/env bash
# Starts a real WordPress (6.5.5 on SQLite under PHP's own server) with our plugin in it. Called by scripts/test-cms.sh:
# `wordpress.sh FOLDER` keeps everything of this run in FOLDER, its process groups in FOLDER/groups, and prints KEY=value
# lines for the tests. Code is fetched once into .galley/cms; Debian packages are installed (as root) where they are missing.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$1
kept="$root/.galley/cms/wordpress"
builds=wp-playground-wordpress-builds-0.9.19
cli=wp-playground-cli-3.1.56

has_php() {
  local modules
  modules=$(php -m 2>/dev/null) || return 1
  for name in pdo_sqlite gd curl mbstring xml; do grep -qix "$name" <<<"$modules" || return 1; done
}
if ! has_php || ! command -v unzip >/dev/null; then
  echo "Installing PHP …" >&2
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends \
    php-cli php-sqlite3 php-curl php-gd php-xml php-mbstring php-intl unzip; } >&2
fi

# What is fetched is unpacked beside its place and moved there whole, so that a run that was cut off leaves nothing half-done.
if [ ! -d "$kept" ]; then
  echo "Fetching WordPress (160 MB, once) …" >&2
  mkdir -p "$(dirname "$kept")"
  fresh=$(mktemp -d "$kept.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  cd "$fresh"
  npm pack --silent "@wp-playground/wordpress-builds@0.9.19" "@wp-playground/cli@3.1.56" >&2
  tar xzf "$builds.tgz" --strip-components=3 package/src/wordpress/wp-6.5.zip
  tar xzf "$cli.tgz" --strip-components=1 package/sqlite-database-integration.zip
  unzip -q wp-6.5.zip -d site
  unzip -q sqlite-database-integration.zip -d sq
  mkdir -p site/wp-content/plugins/sqlite-database-integration site/wp-content/mu-plugins
  cp -r sq/plugin-sqlite-database-integration/* site/wp-content/plugins/sqlite-database-integration/
  cp site/wp-content/plugins/sqlite-database-integration/db.copy site/wp-content/db.php
  mv -T site "$kept" 2>/dev/null || true
  cd "$root"
fi

# FETCH_ONLY=1 ends here: what comes from elsewhere is there.
[ -z "${FETCH_ONLY:-}" ] || exit 0

. "$root/scripts/free-port.sh"
free_port
url="http://127.0.0.1:$port"
cp -r "$kept" "$dir/site"
mkdir -p "$dir/db"
cp "$root/scripts/cms/wordpress/test-site.php" "$dir/site/wp-content/mu-plugins/test-site.php"
cp "$root/scripts/cms/wordpress/router.php" "$root/scripts/cms/wordpress/install.php" "$dir/"
sed "s#SITE_URL#$url#g" "$root/scripts/cms/wordpress/wp-config.php" >"$dir/site/wp-config.php"

(cd "$root" && node scripts/run.mjs scripts/build-wordpress.ts "$dir/galley.zip") >&2
unzip -q "$dir/galley.zip" -d "$dir/site/wp-content/plugins"
php "$dir/install.php" "${url#http://}" >"$dir/install.env"

# A session of its own, so that the server and the workers it forks are stopped as one group.
PHP_CLI_SERVER_WORKERS=3 setsid php -d upload_max_filesize=16M -d post_max_size=20M -d display_errors=0 -d log_errors=1 -d error_log="$dir/php-errors.log" \
  -S "127.0.0.1:$port" -t "$dir/site" "$dir/router.php" >"$dir/php.log" 2>&1 </dev/null &
echo $! >>"$dir/groups"
for _ in $(seq 1 100); do
  curl -sf -m 5 -o /dev/null "$url/wp-json/?_fields=name" && break
  sleep 0.2
done
curl -sf -m 10 -o /dev/null "$url/wp-json/?_fields=name" || { tail -n 20 "$dir/php.log" >&2; exit 1; }
echo "WORDPRESS_URL=$url"
echo "WORDPRESS_DIR=$dir"
grep '^WORDPRESS_' "$dir/install.env"
