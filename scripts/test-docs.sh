#!/usr/bin/env bash
# Does what the documents say.
case "${1:-}" in
  -h | --help)
    echo "Does what the documents say: the example of every operation, README on a fresh clone, an agent's walk, and a receiver's check"
    echo "of signatures in five languages, of which it installs those that are missing (Debian: PHP, Ruby, Go). The description of the"
    echo "API is read by two linters, which it fetches from npm."
    echo
    echo "Usage: npm run test:docs [-- VITEST-OPTION …]"
    exit 0
    ;;
esac
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/languages.sh
. scripts/linters.sh
# FETCH_ONLY=1 ends here: what comes from elsewhere is there.
[ -z "${FETCH_ONLY:-}" ] || exit 0
LANGUAGES=all LINTERS="$LINTERS" exec node scripts/run.mjs vitest run --project docs "$@"
