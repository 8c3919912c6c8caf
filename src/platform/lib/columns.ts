const wide = () =>
  /(?![\uff61-\uffdc])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}\u3000-\u303f\u30fb\u30fc\u3190-\u33ff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/u
const unseen = () => /[\p{Mn}\p{Me}\p{Cf}\p{Emoji_Modifier}]/u

/** Returns how many columns a text takes: wide letters take two, marks that are on others none, all others one. */
export const columnsOf = (text: string): number => {
  const [isWide, isUnseen] = [wide(), unseen()]
  let columns = 0
  for (const character of text.normalize('NFC'))
    columns += character < '\u00ad' ? 1 : isUnseen.test(character) ? 0 : isWide.test(character) ? 2 : 1
  return columns
}
