import { invalidInput } from './errors.ts'

/** Returns the fields of body and query together. Throws 400 for a field that is in both with two values. */
export const fromEither = <Q extends object, B extends object>(query: Q, body: B): Q & B => {
  const sent = { ...body } as Record<string, unknown>
  const differ = Object.entries(query).filter(([name, value]) => name in sent && sent[name] !== value)
  if (differ.length === 0) return { ...query, ...body }
  throw invalidInput(
    differ.map(([field]) => ({ field, message: 'is another in the body than in the query; give it once' })),
  )
}

type Given<T, Name extends keyof T> = { [Key in Name]-?: NonNullable<T[Key]> }

/** Fields that may be in the body or in the query, but have to be in one. Throws 400 with those that are missing. */
export const required = <T extends object, Name extends keyof T & string>(
  input: T,
  names: readonly Name[],
): Given<T, Name> => {
  const missing = names.filter((name) => input[name] === undefined || input[name] === null)
  if (missing.length > 0) throw invalidInput(missing.map((field) => ({ field, message: 'is required' })))
  return input as Given<T, Name>
}
