/** Returns the first `max` characters of a text without splitting a surrogate pair. */
export const clip = (text: string, max: number): string => {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** True if a text has characters no field may hold: C0 controls but tab and line ends, DEL, lone surrogates. */
export const hasForbiddenCharacters = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.test(text) || !text.isWellFormed()

/** Returns someone else's text made storable: forbidden characters become U+FFFD. */
export const storableText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: replacing control characters is the purpose
  text.toWellFormed().replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g, '\uFFFD')
