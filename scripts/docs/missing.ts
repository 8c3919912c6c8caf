const missing = new Set<string>()

/** Notes text that somebody has to write first. Returns an empty text to use in its place. */
export const noteMissing = (what: string): string => {
  missing.add(what)
  return ''
}

/** Throws one error that names all missing text, so that it can be written at once. */
export const throwIfMissing = (): void => {
  const all = [...missing]
  missing.clear()
  if (all.length > 0) throw new Error(all.join('\n'))
}
