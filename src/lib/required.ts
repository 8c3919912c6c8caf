import { invalidInput } from './errors.ts'

type Given<T, Name extends keyof T> = { [Key in Name]-?: NonNullable<T[Key]> }

/** Fields that may stand in the body or in the query, but have to stand in one. Throws 400 with those that are missing. */
export const required = <T extends object, Name extends keyof T & string>(
  input: T,
  names: readonly Name[],
): Given<T, Name> => {
  const missing = names.filter((name) => input[name] === undefined || input[name] === null)
  if (missing.length > 0) throw invalidInput(missing.map((field) => ({ field, message: 'is required' })))
  return input as Given<T, Name>
}
