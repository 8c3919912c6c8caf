# To be read by other scripts (`. free-port.sh`).

# Sets `port` to one that is free and that no other script is given while this one, or what it starts, runs: a lock on a file stands
# for it. It lies below those that the system itself hands out, and beside those of local/start/ports.ts.
free_port() {
  local lease
  while :; do
    port=$((10000 + RANDOM % 500))
    if ! { exec {lease}>>"${TMPDIR:-/tmp}/galley-port-$port"; } 2>/dev/null; then continue; fi
    if flock -n "$lease" && ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then return; fi
    exec {lease}>&-
  done
}
