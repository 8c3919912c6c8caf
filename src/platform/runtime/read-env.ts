/** Reads a value of the environment; undefined if it does not fit. */
type Kind<T> = (value: unknown) => T | undefined

type Shape = Readonly<Record<string, Kind<unknown>>>
type Read<S extends Shape> = { [Name in keyof S]: Exclude<ReturnType<S[Name]>, undefined> }

const isUrl = (text: string): boolean => URL.canParse(text)

/** A text that may be empty; `otherwise` where none is set. */
export const text =
  (otherwise: string): Kind<string> =>
  (value = otherwise) =>
    typeof value === 'string' ? value : undefined

/** A text that has to be set. */
export const given: Kind<string> = (value) => (typeof value === 'string' && value !== '' ? value : undefined)

/** A text of one form; `otherwise` where none is set. */
export const matching =
  (form: RegExp, otherwise: string): Kind<string> =>
  (value = otherwise) =>
    typeof value === 'string' && form.test(value) ? value : undefined

/** An absolute URL; `otherwise`, which may be empty, where none is set. Without it one has to be set. */
export const url =
  (otherwise?: string): Kind<string> =>
  (value = otherwise) =>
    typeof value === 'string' && ((value === '' && otherwise === '') || isUrl(value)) ? value.trim() : undefined

/** A number within bounds; `otherwise` where none is set. */
export const number =
  ([min, max]: readonly [number, number], otherwise: number): Kind<number> =>
  (value = otherwise) => {
    const read = Number(value)
    return read >= min && read <= max ? read : undefined
  }

/** One of several words; the first where none is set. */
export const oneOf =
  <const Word extends string>(words: readonly [Word, ...Word[]]): Kind<Word> =>
  (value = words[0]) =>
    words.find((word) => word === value)

/**
 * The settings of this shape in a Worker's environment. Throws naming those that are missing or malformed, never their values.
 *
 * Not by zod: the first answer of every Worker waits for this, and would take some 2 ms more of CPU (docs/design/speed.md).
 */
export const readEnv = <S extends Shape>(shape: S, env: unknown): Read<S> => {
  const from = env as Record<string, unknown>
  const read = Object.entries(shape).map(([name, kind]) => [name, kind(from[name])] as const)
  const wrong = read.flatMap(([name, value]) => (value === undefined ? [name] : []))
  if (wrong.length > 0) throw new Error(`Configuration is missing or malformed: ${wrong.join(', ')}`)
  return Object.fromEntries(read) as Read<S>
}
