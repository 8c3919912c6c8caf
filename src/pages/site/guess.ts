import type { ProjectRow } from '../../accounts/projects/present.ts'
import { DEFAULT_LANGUAGE, languageOfTag } from '../../platform/lib/languages.ts'
import { isTimeZone } from '../../platform/lib/time.ts'

/** Settings of a new site that a request suggests. */
type Guess = { timezone?: string; language?: string }

/** Longest header that is read. */
const MOST = 200

/** Returns the language that a browser prefers, among those that a site can have; undefined if it names none. */
const languageIn = (header: string): string | undefined =>
  header
    .slice(0, MOST)
    .split(',')
    .map((one) => {
      const [tag = '', ...parameters] = one.split(';')
      const q = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find((text) => text !== undefined)
      return { tag: tag.trim(), weight: q === undefined ? 1 : Number(q) }
    })
    .filter(({ tag, weight }) => tag !== '' && tag !== '*' && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => languageOfTag(tag))
    .find((language) => language !== undefined)

/** Returns a site's time zone and language as a request suggests them, as long as nobody saved them and they are the usual ones. */
export const guessFor = (
  { timezone, language, sentFields }: Pick<ProjectRow, 'timezone' | 'language' | 'sentFields'>,
  header: (name: string) => string | undefined,
): Guess => {
  const zone = header('cf-timezone') ?? ''
  const spoken = languageIn(header('accept-language') ?? '')
  const isOpen = (name: string, value: string, usual: string) => value === usual && !sentFields.includes(name)
  return {
    ...(isOpen('timezone', timezone, 'UTC') && zone !== 'UTC' && isTimeZone(zone) ? { timezone: zone } : {}),
    ...(isOpen('language', language, DEFAULT_LANGUAGE) && spoken !== undefined && spoken !== language
      ? { language: spoken }
      : {}),
  }
}
