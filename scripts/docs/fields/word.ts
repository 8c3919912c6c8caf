/** Meaning of a field; with a second text, also its value when it is left out. */
export type Word = string | readonly [deps: string, otherwise: string]

/** Words by field; a field within another is named by its path: `call_to_action.url`, `persons[].id`. */
export type Words = Readonly<Record<string, Word>>

/** Returns the words for `limit`: the default length of a list, and the maximum. */
export const lengthOf = (usual: number, most: number): Word => [
  `rows in the answer; more than ${most.toLocaleString('en')} is lowered to ${most.toLocaleString('en')}`,
  String(usual),
]
