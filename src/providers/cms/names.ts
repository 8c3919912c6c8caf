/**
 * True if two names of tags, categories or people are one: equal without regard to case. Signs count, so that `F#` is not `F`,
 * although a CMS makes the same slug of both.
 */
export const isSameName = (a: string, b: string): boolean => plain(a) === plain(b)

const plain = (name: string): string => name.normalize('NFC').trim().toLowerCase()
