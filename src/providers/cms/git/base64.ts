/** Returns a text as base64 of its UTF-8. */
export const base64 = (text: string): string => {
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(binary)
}

/** Returns the text of base64 with its byte order mark; undefined if its bytes are not UTF-8. */
export const textOfBase64 = (encoded: string): string | undefined => {
  try {
    const bytes = Uint8Array.from(atob(encoded.replace(/\s+/g, '')), (one) => one.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
