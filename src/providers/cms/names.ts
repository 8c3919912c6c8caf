/**
 * True if two names of tags, categories or people are one: equal without regard to case. Signs count, so that `F#` is not `F`,
 * although a CMS makes the same slug of both.
 */
export const isSameName = (a: string, b: string): boolean => plain(a) === plain(b)

const plain = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()

/** Returns names without those that are one with a name before them. */
export const distinctNames = (names: readonly string[]): string[] => {
  const seen = new Set<string>()
  return names.filter((name) => {
    const isNew = !seen.has(plain(name))
    seen.add(plain(name))
    return isNew
  })
}
