import type { AnyStored } from './forms.ts'
import { readLexical } from './lexical-read.ts'
import { readStored } from './units.ts'

/** Returns the HTML that callers read of a stored text; undefined if its blocks do not nest. */
export const htmlOfStored = ({ format, text }: AnyStored): string | undefined => {
  const read = format === 'lexical' ? readLexical(text) : readStored({ format, text })
  return read?.units.map(({ html }) => html.trim()).join('\n\n')
}
