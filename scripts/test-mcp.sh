#!/usr/bin/env bash
# Runs test/clients: the protocol's own conformance suite and older clients against the service. They are installed from npm, at
# these exact versions, into a folder that stays for the next run.
case "${1:-}" in
  -h | --help)
    echo "Runs the MCP conformance suite and other MCP clients against the service; fetches them from npm."
    echo
    echo "Usage: npm run test:mcp [-- VITEST-OPTION …]"
    exit 0
    ;;
esac
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
packages=(@modelcontextprotocol/conformance@0.2.0-alpha.12 @modelcontextprotocol/sdk@1.32.2)
dir="$root/.galley/mcp-clients/$(echo "${packages[@]}" | cksum | cut -d' ' -f1)"
if [ ! -f "$dir/installed" ]; then
  mkdir -p "$dir"
  echo '{"private":true}' >"$dir/package.json"
  timeout 300 npm install --prefix "$dir" --save-exact --no-audit --no-fund --ignore-scripts "${packages[@]}" >&2
  touch "$dir/installed"
fi
cd "$root"
MCP_CLIENTS="$dir" timeout 900 node scripts/run.mjs vitest run --config vitest.clients.config.ts "$@"
