# Sourced by commands that open pages in a real browser: installs playwright-core, axe-core and lighthouse from npm at these exact
# versions, into a folder that stays for the next run, and Chromium. Sets INSTALLED. Needs `root`, the folder of the project.
packages=(playwright-core@1.65.1 axe-core@4.14.1 lighthouse@13.5.0)
export INSTALLED="$root/.galley/page-tools/$(echo "${packages[@]}" | cksum | cut -d' ' -f1)"
if [ ! -f "$INSTALLED/installed" ]; then
  mkdir -p "$INSTALLED"
  echo '{"private":true}' >"$INSTALLED/package.json"
  timeout 600 npm install --prefix "$INSTALLED" --save-exact --no-audit --no-fund --ignore-scripts --loglevel=error "${packages[@]}" >&2
  touch "$INSTALLED/installed"
fi
. "$root/scripts/chromium.sh"
