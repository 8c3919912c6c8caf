/** Reads a value of the environment; undefined if it does not fit. */
type Kind<T> = (value: unknown) => T | undefined

type Shape = Readonly<Record<string, Kind<unknown>>>
type Read<S extends Shape> = { [Name in keyof S]: Exclude<ReturnType<S[Name]>, undefined> }

const isUrl = (text: string): boolean => URL.canParse(text)

/** Returns a text that may be empty; `otherwise` if none is set. */
export const text =
  (otherwise: string): Kind<string> =>
  (value = otherwise) =>
    typeof value === 'string' ? value : undefined

/** Returns a text that has to be set. */
export const given: Kind<string> = (value) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Returns a text of one form; `otherwise` if none is set. */
export const matching =
  (form: RegExp, otherwise: string): Kind<string> =>
  (value = otherwise) =>
    typeof value === 'string' && form.test(value) ? value : undefined

/** Returns an absolute URL; `otherwise`, which may be empty, if none is set. Without it one has to be set. */
export const url =
  (otherwise?: string): Kind<string> =>
  (value = otherwise) =>
    typeof value === 'string' && ((value === '' && otherwise === '') || isUrl(value)) ? value.trim() : undefined

/** Returns a number within bounds; `otherwise` if none is set. */
export const number =
  ([min, max]: readonly [number, number], otherwise: number): Kind<number> =>
  (value = otherwise) => {
    const read = Number(value)
    return read >= min && read <= max ? read : undefined
  }

/** Returns one of several words; the first if none is set. */
export const oneOf =
  <const Word extends string>(words: readonly [Word, ...Word[]]): Kind<Word> =>
  (value = words[0]) =>
    words.find((word) => word === value)

/**
 * Returns the settings of this shape in a Worker's environment. Throws naming those that are missing or malformed, never their values.
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
