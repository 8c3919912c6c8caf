import * as z from 'zod/mini'
import type { projects } from '../../../schema/projects.ts'
import { httpUrl, label } from '../../platform/lib/fields.ts'
import { LANGUAGES, languageOf } from '../../platform/lib/languages.ts'
import { isTimeZone, zoneName } from '../../platform/lib/time.ts'
import { hasBlanks, withScheme } from '../../platform/lib/urls.ts'
import { IMAGE_DEFAULTS, QUALITY_DEFAULTS } from './rules.ts'

type Column = keyof typeof projects.$inferInsert

/**
 * Place of a setting: a column of its own, or a key of a JSON column that updates merge into.
 *
 * `fallback` is the value until the setting is first set, `cleared` the value after null was sent.
 */
export type Place =
  /** `namedAs`: the column that answers name instead. */
  | { column: Column; namedAs?: string }
  | { merged: 'articleQualitySettings' | 'imagePreferences'; fallback: unknown; cleared: unknown }

/** A writable setting: its words, what callers send, what answers show, and where it is stored. */
export type Setting = {
  /** Meaning, in sentences. */
  means: string
  /** Rule for sending it, in a sentence. */
  sent?: string
  /** Its value in a new project, as a phrase. */
  otherwise: string
  schema: z.ZodMiniType
  /** Schema of its value in answers, if it is not a text. */
  shown?: () => z.ZodMiniType
  place: Place
  aliases?: readonly string[]
}

export const quality = (name: keyof typeof QUALITY_DEFAULTS): Place => ({
  merged: 'articleQualitySettings',
  fallback: QUALITY_DEFAULTS[name],
  cleared: QUALITY_DEFAULTS[name],
})
export const image = (name: keyof typeof IMAGE_DEFAULTS, cleared: unknown = IMAGE_DEFAULTS[name]): Place => ({
  merged: 'imagePreferences',
  fallback: IMAGE_DEFAULTS[name],
  cleared,
})
export const at = (column: Column): Place => ({ column })

const onOrOff = z.boolean()

/** Returns a setting that is on or off. `whenTrue` continues “True if”. */
export const flag = (whenTrue: string, place: Place, usual: boolean): Setting => ({
  means: `True if ${whenTrue}.`,
  otherwise: `\`${usual}\``,
  schema: onOrOff,
  shown: () => z.boolean(),
  place,
})

/** Returns a setting with one of several labels. */
export const oneOf = <const T extends readonly string[]>(
  labels: T,
  means: string,
  place: Place,
  usual: T[number],
): Setting => ({
  means,
  otherwise: `\`${usual}\``,
  schema: label(labels),
  shown: () => z.enum(labels),
  place,
})

/** Returns the schema of a list in answers. */
export const strings = () => z.array(z.string())

/**
 * Returns the host of a domain or URL in lower case, without `*.`, `www.` and a final dot. Undefined if it is neither.
 *
 * A domain includes its subdomains, so `*.` adds nothing.
 */
export const domainOf = (value: string): string | undefined => {
  if (hasBlanks(value)) return undefined
  try {
    const host = new URL(withScheme(value)).hostname.replace(/^(\*\.)?(www\.)?/, '').replace(/\.$/, '')
    return host.includes('.') ? host : undefined
  } catch {
    return undefined
  }
}

/** Returns a URL; undefined if it is none. */
export const pillarOf = (value: string): string | undefined => (httpUrl().safeParse(value).success ? value : undefined)

/** Language, given by its label in any case or by its BCP 47 code. Parsed to the label. */
export const language = z.pipe(
  z.string().check(
    z.trim(),
    z.refine((given) => languageOf(given) !== undefined, {
      error: 'must be a language: its label, such as French (CA), or its BCP 47 code, such as fr-CA',
      params: { allowed: LANGUAGES, isOpen: true },
    }),
  ),
  z.transform((given) => languageOf(given) ?? given),
)

/** Time of day, such as 09:00. */
export const publishTime = z.string().check(
  z.refine((v) => /^([01]\d|2[0-3]):[0-5]\d$/.test(v), {
    error: 'must be a 24-hour time HH:MM',
    params: { allowed: 'HH:MM' },
  }),
)
/** IANA time zone, parsed to its usual name. */
export const timezone = z.pipe(
  z.string().check(
    z.trim(),
    z.refine((v) => isTimeZone(v), { error: 'must be an IANA time zone, for example Europe/Amsterdam' }),
  ),
  z.transform(zoneName),
)
/** A colour; empty text clears it. */
export const color = z.pipe(
  z.string().check(
    z.trim(),
    z.refine((v) => /^(#[0-9a-fA-F]{6})?$/.test(v), {
      error: 'must be a colour #rrggbb',
      params: { allowed: '#rrggbb' },
    }),
  ),
  z.transform((v) => (v === '' ? null : v)),
)
