/** Meaning of a field in sentences; optionally a second text: the default as a phrase. */
export type Word = string | readonly [meaning: string, otherwise: string]

/** Words by field; a field within another is named by its path: `call_to_action.url`, `persons[].id`. */
export type Words = Readonly<Record<string, Word>>

/** Returns the words for `limit`: the default length of a list, and the maximum. */
export const lengthOf = (usual: number, most: number): Word => [
  `Maximum number of rows. Values above ${most.toLocaleString('en')} are reduced to ${most.toLocaleString('en')}.`,
  String(usual),
]
