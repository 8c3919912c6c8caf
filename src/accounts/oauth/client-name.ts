const MOST = 100

/** Returns the name an application gave itself, as it may be on a page: one line without controls, cut after 100 characters. Empty if nothing is left. */
export const clientName = (given: string): string => {
  const plain = given
    .toWellFormed()
    .replace(/[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  const all = [...plain]
  return all.length <= MOST
    ? plain
    : `${all
        .slice(0, MOST - 1)
        .join('')
        .trimEnd()}…`
}
