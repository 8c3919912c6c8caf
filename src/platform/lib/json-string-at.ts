const [QUOTE, BACKSLASH, COLON, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x22, 0x5c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d]
const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Returns the quote that ends a string which begins before `from`; -1 where it does not end. */
const endOfString = (bytes: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (at - slashes > from && bytes[at - slashes - 1] === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return at
  }
  return -1
}

const skipBlanks = (bytes: Uint8Array, from: number): number => {
  let at = from
  while (isBlank(bytes[at])) at += 1
  return at
}

const equals = (bytes: Uint8Array, from: number, to: number, text: string): boolean => {
  if (to - from !== text.length) return false
  for (let i = 0; i < text.length; i += 1) if (bytes[from + i] !== text.charCodeAt(i)) return false
  return true
}

/** The place of a text inside its quotes. */
export type Place = { from: number; to: number }

/**
 * Returns the position of a field's text in the outermost object of JSON bytes; of several the last, which counts.
 *
 * Undefined if there is none, or if the bytes are no JSON that far. Strings are stepped over, not decoded.
 */
export const stringAt = (bytes: Uint8Array, field: string): Place | undefined => {
  let found: Place | undefined
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === OPEN || byte === OPEN_LIST) depth += 1
    else if (byte === CLOSE || byte === CLOSE_LIST) depth -= 1
    else if (byte === QUOTE) {
      const end = endOfString(bytes, at + 1)
      if (end < 0) return undefined
      const isField = depth === 1 && equals(bytes, at + 1, end, field)
      at = end
      const colon = skipBlanks(bytes, end + 1)
      const value = skipBlanks(bytes, colon + 1)
      if (isField && bytes[colon] === COLON) {
        found = undefined
        if (bytes[value] === QUOTE) {
          const to = endOfString(bytes, value + 1)
          if (to < 0) return undefined
          found = { from: value + 1, to }
          at = to
        }
      }
    }
  }
  return found
}
