#!/usr/bin/env bash
# Generates the client in a folder that has description.json. The generator comes from npm.
set -euo pipefail
folder=$1
cd "$(dirname "$0")/.."
. scripts/linters.sh
cd "$folder"
"$LINTERS/node_modules/.bin/redocly" generate-client description.json --output client.ts \
  --args-style grouped --import-ext ts --server-url /api/v1 >generator.log 2>&1 || {
  cat generator.log >&2
  exit 1
}
