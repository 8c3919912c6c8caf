#!/usr/bin/env bash
# Runs a command with a real PostgreSQL and a real Redis beside it: installs them (Debian packages, as root) where they are
# missing, starts both on free ports with their data in a temporary folder, sets DATABASE_URL and REDIS_URL, stops both at the
# end. Usage: scripts/services.sh npm test
set -euo pipefail

case "${1:-}" in
  -h | --help)
    echo "Runs a command with a real PostgreSQL and Redis. Installs them if they are missing (Debian)."
    echo
    echo "Usage: scripts/services.sh COMMAND [ARGUMENT …]"
    exit 0
    ;;
esac

if [ "$#" -eq 0 ]; then
  echo "usage: scripts/services.sh COMMAND [ARGUMENT …]" >&2
  exit 2
fi

pg_bin() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; }

missing=()
[ -n "$(pg_bin)" ] || missing+=(postgresql)
command -v redis-server >/dev/null || missing+=(redis-server)
if [ "${#missing[@]}" -gt 0 ]; then
  echo "Installing ${missing[*]} …" >&2
  export DEBIAN_FRONTEND=noninteractive
  # Only the programs are wanted: no service of the system's own is started.
  printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d 2>/dev/null && chmod +x /usr/sbin/policy-rc.d || true
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >&2
  rm -f /usr/sbin/policy-rc.d
fi

dir=$(mktemp -d /tmp/galley-services.XXXXXX)
bin=$(pg_bin)
. "$(dirname "$0")/free-port.sh"
free_port
pg_port=$port
free_port
redis_port=$port

# PostgreSQL refuses to run as root.
if [ "$(id -u)" -eq 0 ]; then
  id postgres >/dev/null 2>&1 || useradd --system --no-create-home --shell /bin/sh postgres
  chown postgres "$dir"
  as_pg() { su postgres -s /bin/sh -c "$*"; }
else
  as_pg() { sh -c "$*"; }
fi

stop() {
  as_pg "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null 2>&1 || true
  if [ -f "$dir/redis.pid" ]; then kill "$(cat "$dir/redis.pid")" 2>/dev/null || true; fi
  rm -rf "$dir"
}
trap stop EXIT
trap 'exit 130' INT TERM

as_pg "$bin/initdb -D $dir/pg -U galley -A trust --no-sync" >/dev/null
as_pg "$bin/pg_ctl -D $dir/pg -w -l $dir/pg.log -o '-p $pg_port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$dir -c fsync=off -c max_connections=200 -c shared_buffers=256MB' start" >/dev/null
as_pg "$bin/createdb -h 127.0.0.1 -p $pg_port -U galley galley"
redis-server --port "$redis_port" --bind 127.0.0.1 --save '' --appendonly no --daemonize yes --pidfile "$dir/redis.pid" --dir "$dir" --logfile "$dir/redis.log" >/dev/null
# It goes to the background before it listens.
for _ in $(seq 600); do
  if (exec 3<>"/dev/tcp/127.0.0.1/$redis_port") 2>/dev/null; then break; fi
  sleep 0.1
done

export DATABASE_URL="postgresql://galley@127.0.0.1:$pg_port/galley"
export REDIS_URL="redis://127.0.0.1:$redis_port"
export GALLEY_PG_BIN="$bin" GALLEY_PG_DATA="$dir/pg"
"$@"
