/** Markup that only Markdown has. One of it is enough. */
const SURE = [
  /^#{1,6} \S/m,
  /^ {0,3}(```|~~~)/m,
  /\*\*[^\s*][^*\n]*\*\*/,
  /\[[^\]\n]+\]\((https?:\/\/|\/|#|mailto:)[^)\s]+\)/,
  /^\|?[ :]*-{3,}[ :]*\|[ :|-]*$/m,
]
const ITEM = /^ {0,3}([-*+]|\d+[.)]) \S/gm

/** Length of the beginning of a text that decides. */
const LOOKED_AT = 20_000

/** True if a text is written in Markdown. */
export const isMarkdown = (text: string): boolean => {
  const start = text.slice(0, LOOKED_AT)
  return SURE.some((sign) => sign.test(start)) || (start.match(ITEM) ?? []).length >= 2
}

/** True if HTML has blocks or marks. That of code editors has only lines and colours. */
export const hasStructure = (html: string): boolean =>
  /<(p|h[1-6]|li|ul|ol|table|b|strong|em|i|a|img|blockquote|pre)[\s>]/i.test(html)
