#!/usr/bin/env bash
# Makes the pictures of README in docs/pictures, from the sample project of a fresh service.
case "${1:-}" in
  -h | --help)
    echo "Starts a new service with the sample project and takes the pictures in docs/pictures with a real Chromium."
    echo
    echo "Usage: npm run pictures"
    exit 0
    ;;
esac
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/page-tools.sh"
cd "$root"
timeout 600 node scripts/run.mjs test/pages/pictures.ts
