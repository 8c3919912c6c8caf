/** Returns a short hash of a text (FNV-1a), which changes whenever the text does. */
const hashOf = (text: string): string => {
  let hash = 0x811c9dc5
  for (let n = 0; n < text.length; n += 1) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** Returns the path of a static asset. The path changes with the text, so browsers cache it for good. */
export const assetPath = (name: string, text: string, ending: string): string =>
  `/assets/${name}.${hashOf(text)}.${ending}`

/** Icon in browser tabs. */
export const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3.5" fill="#2a5bd7"/><path d="M11 5.6A3.6 3.6 0 1 0 11.6 8.400H8.5" fill="none" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></svg>'
