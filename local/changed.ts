/** One kind of place in a package's code, and what stands there in a bundle. */
export type Change = { what: string; pattern: RegExp | string; by: string }

/** A package's code with these changes. Throws where one of them finds no place, since the package is then built in another way. */
export const changed = (code: string, changes: readonly Change[], name: string, changer: string): string =>
  changes.reduce((before, { what, pattern, by }) => {
    const after = before.replace(pattern, by)
    if (after === before) throw new Error(`${name} is built otherwise than ${changer} knows: it lacks ${what}`)
    return after
  }, code)
