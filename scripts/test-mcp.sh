#!/usr/bin/env bash
# Runs test/clients: the protocol's own conformance suite, and clients of others, which people let in with a real Chromium. They are
# installed from npm, at these exact versions, into a folder that stays for the next run.
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
packages=(
  @modelcontextprotocol/conformance@0.2.0-alpha.12 @modelcontextprotocol/sdk@1.32.2
  mcp-remote@0.15.1 @anthropic-ai/claude-code@2.1.330 @google/gemini-cli@0.61.0 opencode-ai@1.18.33 @openai/codex@0.169.0
  @modelcontextprotocol/inspector@2.12.0 playwright-core@1.65.1
)
dir="$root/.galley/mcp-clients/$(echo "${packages[@]}" | cksum | cut -d' ' -f1)"
if [ ! -f "$dir/installed" ]; then
  mkdir -p "$dir"
  echo '{"private":true}' >"$dir/package.json"
  timeout 600 npm install --prefix "$dir" --save-exact --no-audit --no-fund --ignore-scripts "${packages[@]}" >&2
  # Puts the programs for this machine in their places, which npm would do by itself if packages' scripts were let run.
  (cd "$dir/node_modules/@anthropic-ai/claude-code" && node install.cjs) >&2
  (cd "$dir/node_modules/opencode-ai" && node postinstall.mjs) >&2
  touch "$dir/installed"
fi
cd "$root"
. scripts/chromium.sh
# FETCH_ONLY=1 ends here: what comes from elsewhere is there.
[ -z "${FETCH_ONLY:-}" ] || exit 0
INSTALLED="$dir" timeout 900 node scripts/run.mjs vitest run --project clients --maxConcurrency 4 "$@"
