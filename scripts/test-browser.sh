#!/usr/bin/env bash
# Tests in a real browser: uses the Chromium or Chrome that is installed, or installs Debian's chromium (as root).
set -euo pipefail
cd "$(dirname "$0")/.."

installed() {
  for name in chromium chromium-browser google-chrome-stable google-chrome; do
    command -v "$name" >/dev/null && return 0
  done
  [ -n "${CHROME_PATH:-}" ]
}

if ! installed; then
  echo "Installing chromium …" >&2
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >&2
fi
exec node scripts/run.mjs vitest run --config vitest.browser.config.ts "$@"
