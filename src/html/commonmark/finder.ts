/** Finds a character at or after a place, again and again from left to right, reading the text once for each character. */
export const finderIn = (text: string): ((what: string, from: number) => number) => {
  const known = new Map<string, number>()
  return (what, from) => {
    const last = known.get(what)
    if (last !== undefined && (last === -1 || last >= from)) return last
    const at = text.indexOf(what, from)
    known.set(what, at)
    return at
  }
}
