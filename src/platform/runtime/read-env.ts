/** Reads a value of the environment. Returns undefined if the value is invalid. */
type Kind<T> = (value: unknown) => T | undefined

type Shape = Readonly<Record<string, Kind<unknown>>>
type Read<S extends Shape> = { [Name in keyof S]: Exclude<ReturnType<S[Name]>, undefined> }

/** Reads a text that may be empty; `otherwise` if it is not set. */
export const text =
  (otherwise: string): Kind<string> =>
  (value = otherwise) =>
    typeof value === 'string' ? value : undefined

/** Reads a text that must be set. */
export const requiredText: Kind<string> = (value) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Reads a text that matches a pattern; `otherwise` if it is not set. */
export const matching =
  (form: RegExp, otherwise: string): Kind<string> =>
  (value = otherwise) =>
    typeof value === 'string' && form.test(value) ? value : undefined

/** Reads an absolute URL; `otherwise`, which may be empty, if it is not set. Without `otherwise` it must be set. */
export const url =
  (otherwise?: string): Kind<string> =>
  (value = otherwise) =>
    typeof value === 'string' && ((value === '' && otherwise === '') || URL.canParse(value)) ? value.trim() : undefined

/** Reads a URL like `url`, without slashes at its end, so that a path can be appended. */
export const baseUrl = (otherwise?: string): Kind<string> => {
  const read = url(otherwise)
  return (value) => read(value)?.replace(/\/+$/, '')
}

/** Reads a number within bounds; `otherwise` if it is not set. */
export const number =
  ([min, max]: readonly [number, number], otherwise: number): Kind<number> =>
  (value = otherwise) => {
    const read = Number(value)
    return read >= min && read <= max ? read : undefined
  }

/** Reads one of several words; the first if it is not set. */
export const wordOf =
  <const Word extends string>(words: readonly [Word, ...Word[]]): Kind<Word> =>
  (value = words[0]) =>
    words.find((word) => word === value)

/**
 * Returns the settings of this shape from a Worker's environment. Throws naming those that are missing or malformed, never their
 * values.
 *
 * Does not use zod: every Worker's first answer waits for this, and zod would take some 2 ms more of CPU (docs/design/speed.md).
 */
export const readEnv = <S extends Shape>(shape: S, env: unknown): Read<S> => {
  const from = env as Record<string, unknown>
  const read = Object.entries(shape).map(([name, kind]) => [name, kind(from[name])] as const)
  const wrong = read.flatMap(([name, value]) => (value === undefined ? [name] : []))
  if (wrong.length > 0) throw new Error(`Configuration is missing or malformed: ${wrong.join(', ')}`)
  return Object.fromEntries(read) as Read<S>
}
