# Sourced: installs the linters of the description, which also generate the client, from npm at these exact versions into a folder
# that stays for the next run. Leaves its path in LINTERS.
linters=(@redocly/cli@2.77.0 @stoplight/spectral-cli@6.16.3 publint@0.3.25 @arethetypeswrong/cli@0.18.5)
LINTERS="$PWD/.galley/linters/$(echo "${linters[@]}" | cksum | cut -d' ' -f1)"
if [ ! -f "$LINTERS/installed" ]; then
  mkdir -p "$LINTERS"
  echo '{"private":true}' >"$LINTERS/package.json"
  timeout 600 npm install --prefix "$LINTERS" --save-exact --no-audit --no-fund --ignore-scripts "${linters[@]}" >&2
  touch "$LINTERS/installed"
fi
