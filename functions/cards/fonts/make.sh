#!/usr/bin/env bash
# Makes the fonts in this folder again (Debian, as root): bash functions/cards/fonts/make.sh
set -euo pipefail
cd "$(dirname "$0")"
apt-get install -y -qq --no-install-recommends fonttools fonts-noto-core fonts-noto-cjk >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
emoji=$(cd "$work" && npm pack --silent @expo-google-fonts/noto-emoji && tar xzf ./*.tgz && ls package/700Bold/*.ttf)

NAMES='1,2,4,6,13,14'
noto=/usr/share/fonts/truetype/noto
part() { pyftsubset "$1" --output-file="$2" --no-hinting --name-IDs="$NAMES" "${@:3}"; }
FEATURES='ccmp,locl,mark,mkmk,kern,liga,rlig,calt,init,medi,fina,isol,akhn,rphf,blwf,half,pstf,vatu,cjct,pres,abvs,blws,psts,haln,abvm,blwm,dist,nukt,rkrf,pref,cfar,clig'

part $noto/NotoSans-Bold.ttf latin.ttf --layout-features="$FEATURES" --unicodes='U+20-7E,U+A0-24F,U+2B0-36F,U+370-3FF,U+400-52F,U+1E00-1EFF,U+2000-206F,U+2070-209F,U+20A0-20CF,U+2100-218F,U+2190-2193,U+2212,U+2260,U+2264,U+2265,U+25CC,U+FFFD'
for script in Arabic Armenian Bengali Devanagari Ethiopic Georgian Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam Myanmar Sinhala Tamil Telugu Thai; do
  part $noto/NotoSans$script-Bold.ttf "${script,,}.ttf" --layout-features="$FEATURES" --unicodes='*'
done
part "$work/$emoji" emoji.ttf --unicodes='*'

python3 - "$work" <<'PY'
import sys
def characters(codec, rows):
    pairs = (bytes([high, low]) for high in rows for low in range(0x40, 0xff))
    decoded = (pair.decode(codec, 'ignore') for pair in pairs)
    return {text for text in decoded if len(text) == 1}
han = characters('gb2312', range(0xb0, 0xf8)) | characters('big5', range(0xa4, 0xc7)) | characters('euc_jp', range(0xb0, 0xd0))
open(sys.argv[1] + '/han.txt', 'w').write(''.join(sorted(han)))
open(sys.argv[1] + '/hangul.txt', 'w').write(''.join(sorted(characters('euc_kr', range(0xb0, 0xc9)))))
PY
for name in han hangul; do
  part /usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc $name.otf --font-number=2 --layout-features='' --text-file="$work/$name.txt" \
    --unicodes='U+3000-30FF,U+FF01-FF60,U+2014,U+2026,U+2018-201D,U+B7'
done
