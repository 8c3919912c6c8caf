/** What a field means, or that and what holds where it is left out. */
export type Word = string | readonly [means: string, otherwise: string]

/** Words by field; a field within another is named by its path: `call_to_action.url`, `persons[].id`. */
export type Words = Readonly<Record<string, Word>>

/** How long a list is where `limit` is left out, and at most. */
export const lengthOf = (usual: number, most: number): Word => [
  `rows in the answer; more than ${most.toLocaleString('en')} is lowered to ${most.toLocaleString('en')}`,
  String(usual),
]
