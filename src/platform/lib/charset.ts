/** Number of bytes searched for the character set that a page names. Browsers search at least 1,024. */
const PRESCAN_BYTES = 8_192

const BYTE_ORDER_MARKS: readonly (readonly [string, ...number[]])[] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16be', 0xfe, 0xff],
  ['utf-16le', 0xff, 0xfe],
]
/** First bytes of `<?xml` in UTF-16 without a byte order mark. */
const XML_IN_UTF16: readonly (readonly [string, ...number[]])[] = [
  ['utf-16le', 0x3c, 0, 0x3f, 0, 0x78, 0],
  ['utf-16be', 0, 0x3c, 0, 0x3f, 0, 0x78],
]

const beginningOf = (bytes: Uint8Array, known: typeof BYTE_ORDER_MARKS): string | undefined =>
  known.find(([, ...signs]) => signs.every((sign, n) => bytes[n] === sign))?.[0]

/** Returns the name of a character set in lower case; undefined if browsers do not know it. */
const knownLabel = (label: string | undefined): string | undefined => {
  try {
    return label === undefined ? undefined : new TextDecoder(label.trim()).encoding
  } catch {
    return undefined
  }
}

const namedIn = (text: string): string | undefined =>
  /charset\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s;"']+))/i.exec(text)?.slice(1).find(Boolean)

const ATTRIBUTE = /([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g

/** Returns the character set that a `meta` element names (HTML, section 13.2.3.2). */
const inMeta = (tag: string): string | undefined => {
  const attributes = new Map(
    [...tag.matchAll(ATTRIBUTE)].map(([, name = '', ...values]) => [name.toLowerCase(), values.find(Boolean) ?? '']),
  )
  const isPragma = attributes.get('http-equiv')?.toLowerCase() === 'content-type'
  const label = attributes.get('charset') ?? (isPragma ? namedIn(attributes.get('content') ?? '') : undefined)
  const known = knownLabel(label)
  // UTF-16 is wrong here: the element was readable as ASCII.
  if (known?.startsWith('utf-16')) return 'utf-8'
  return label?.trim().toLowerCase() === 'x-user-defined' ? 'windows-1252' : known
}

const inDocument = (bytes: Uint8Array): string | undefined => {
  const utf16 = beginningOf(bytes, XML_IN_UTF16)
  if (utf16) return utf16
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, PRESCAN_BYTES)).replace(/<!--[\s\S]*?(?:-->|$)/g, '')
  const xml = knownLabel(/^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)/.exec(head)?.[1])
  if (xml) return xml.startsWith('utf-16') ? 'utf-8' : xml
  for (const [tag] of head.matchAll(/<meta[\s/][^>]*>/gi)) {
    const found = inMeta(tag)
    if (found) return found
  }
  return undefined
}

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the character set of a page or XML file, in the browsers' order: byte order mark, header, document.
 *
 * Undefined if none of them names one.
 */
export const charsetOf = (start: Uint8Array, contentType: string): string | undefined =>
  beginningOf(start, BYTE_ORDER_MARKS) ?? knownLabel(namedIn(contentType)) ?? inDocument(start)

/** Returns the text of a page, decoded. Without a named character set, it is UTF-8 if the bytes are valid, else windows-1252. */
export const decodePage = (bytes: Uint8Array, contentType: string): string =>
  new TextDecoder(charsetOf(bytes, contentType) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')).decode(bytes)
