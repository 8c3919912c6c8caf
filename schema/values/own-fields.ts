/** Value of a field that the platform has besides those of an article. */
export type FieldValue = string | number | boolean | null | readonly (string | number)[]

/** Values of a platform's own fields, by their names there. */
export type OwnFields = Readonly<Record<string, FieldValue>>
