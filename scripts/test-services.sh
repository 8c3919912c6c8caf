#!/usr/bin/env bash
# Runs those tests of `npm test` whose outcome depends on the database and Redis behind the service, on real ones.
case "${1:-}" in
  -h | --help)
    echo "Runs the tests that are tagged services (races, query plans, commands of operators) on a real PostgreSQL and Redis."
    echo
    echo "Usage: npm run test:services [-- VITEST-OPTION …]"
    exit 0
    ;;
esac
set -euo pipefail
cd "$(dirname "$0")/.."
TESTS=services exec scripts/services.sh node scripts/run.mjs vitest run --tags-filter=services "$@"
