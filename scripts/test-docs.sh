#!/usr/bin/env bash
# Does what the documents say.
case "${1:-}" in
  -h | --help)
    echo "Tests the documentation: the example of every operation, README in a new clone, an agent's first article, and the signature check"
    echo "in five languages. Installs missing languages (Debian: PHP, Ruby, Go). Two linters from npm check the description of the"
    echo "API."
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
