# Sourced by tests of examples in several languages: installs those that are missing (Debian packages, as root).
missing_languages=()
command -v php >/dev/null || missing_languages+=(php-cli)
command -v ruby >/dev/null || missing_languages+=(ruby)
command -v go >/dev/null || missing_languages+=(golang-go)
if [ "${#missing_languages[@]}" -gt 0 ]; then
  echo "Installing ${missing_languages[*]} …" >&2
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing_languages[@]}"; } >&2
fi
