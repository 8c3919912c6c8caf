/** Elements that WordPress keeps in titles and excerpts of users who may not post unfiltered HTML. */
const INLINE = /^<\/?(?:a|abbr|acronym|b|blockquote|cite|code|del|em|i|q|s|strike|strong)\b/i
const TAG = /<\/?[a-z!][^>]*>/gi
const REFERENCE = /&(?!(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);)/gi

/** Returns text as `wp_kses` leaves it: other elements lose their tags, and a lone `&` is encoded. */
export const kses = (text: string): string =>
  text.replace(TAG, (tag) => (INLINE.test(tag) ? tag : '')).replace(REFERENCE, '&amp;')

/** Returns text as `sanitize_text_field` leaves it: without tags, on one line. */
export const textField = (text: string): string =>
  text
    .replace(/<(script|style)\b[^>]*>.*?<\/\1>/gis, '')
    .replace(TAG, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Returns text as `_wp_specialchars` leaves it: references are not encoded twice. */
const specialChars = (text: string): string =>
  text.replace(REFERENCE, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Returns the name of a term as WordPress stores it. */
export const storedName = (name: string): string => specialChars(textField(name))
