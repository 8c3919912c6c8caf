# Sourced by tests that need a browser: uses the Chromium or Chrome that is installed, or installs Debian's chromium (as root).
have_chromium() {
  local name
  for name in chromium chromium-browser google-chrome-stable google-chrome; do
    command -v "$name" >/dev/null && return 0
  done
  [ -n "${CHROME_PATH:-}" ]
}

if ! have_chromium; then
  echo "Installing chromium …" >&2
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >&2
fi
