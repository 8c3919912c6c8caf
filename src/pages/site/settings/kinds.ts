/** Choices of a field: the submitted value, and its label. */
type Options = readonly (readonly [value: string, label: string])[]

/** Kind of a setting, which decides its control. `lines` has an entry on each line; `listed` suggests names. */
type Kind =
  | { kind: 'text' | 'long'; max: number }
  | { kind: 'address' | 'time' | 'color' | 'switch' | 'dollars' }
  | { kind: 'lines'; max: number; wrong?: string }
  | { kind: 'number'; unit: string; min: number; max: number }
  | { kind: 'choice'; options: Options }
  | { kind: 'listed'; from: 'languages' | 'countries' | 'zones'; max: number; wrong: string }

/** Setting as people see it. `name` is the field of the API. */
export type SettingField = Kind & { name: string; label: string; hint?: string }

/** Settings that are saved together. `about` has their purpose, and the time from which a change takes effect. */
export type Group = { key: string; title: string; about: string; fields: readonly SettingField[] }

/** Returns the choices of a closed list of values. A value without a label is a type error. */
export const choicesOf = <const Values extends readonly string[]>(
  values: Values,
  words: Record<Values[number], string>,
): Options => values.map((value) => [value, words[value as Values[number]]] as const)

/** Most characters of a short text, and of a long one. */
export const SHORT = 500
export const LONG = 10_000
