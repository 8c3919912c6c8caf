import { type Name, type Names, SHOWN } from '../../scripts/docs/examples/names.ts'

/** Values that differ in every run, by their field, and their replacements. */
const FIXED: Readonly<Record<string, unknown>> = {
  signing_secret: 'whsec_…',
  credits_refill_on: '2026-12-01',
  month: '2026-11',
  starts_on: '2026-10-17',
  ends_on: '2026-11-13',
  duration_ms: 12,
  last_four: '7Xk2',
  jws: 'eyJhbGciOiJFZERTQSIsImtpZCI6Inh…',
  iat: 1795165200,
}

/** Random ids and marks, and their replacements. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '6d0f7c1e-2f0b-4a57-9c1b-5d2f3a1e9b10'],
  [/\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, SHOWN.screenshot],
  [/\b(state|token|grant|code|link)=[\w.-]{16,}/g, '$1=…'],
  [/\b(?=[a-f]*\d)[0-9a-f]{12,24}\b/g, '5f1e0c2ab349'],
  [/\b(?=[a-f]*\d)[0-9a-f]{32}\b/g, '2f9a41c07be84d5e9a6c3b1d8f07e524'],
  [/\/report\/[\w-]{20,}/g, '/report/Vq3xN8kTz0aWm5c7'],
  [/\bgly_live_\w+/g, 'gly_live_…'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'https://sandbox.example'],
  [/http%3A%2F%2F127\.0\.0\.1%3A\d+/g, 'https%3A%2F%2Fapi.example.com'],
  [/\bkey:\d+/g, 'key:3'],
]

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g
const DAY = /\b20\d\d-\d\d-\d\d(?![\dT])/g
/** Things that are named by their number within a text. */
const THING =
  /(?:\b|(?<=%[0-9A-F]{2}))(projects?|articles?|integrations?|suggestions?|posts?|approvals?)(_id=|_id%3D|_id":|\/|:| )(\d+)\b/g
/** A site's pages, by the number of its project. */
const PAGES = /(?<=\/p\/)\d+\b/g
const DAY_MS = 86_400_000
const SHOWN_DAY = Date.parse('2026-11-20')

/** Kinds of things that a field names by a number in a text. */
const KIND_IN_TEXT: Readonly<Record<string, string>> = { id: 'article', account_id: 'integration' }

const MOST_CHARACTERS = 600

const kindOf = (name: string): string => name.split('_')[0] ?? ''

/**
 * Returns the kind of thing that a field's number names: for `project_id` and `ProjectID` a project, for `id` the kind
 * of the list.
 */
const kindOfField = (field: string, around: string): string => {
  if (field === 'replay_of' || field === 'resolved_by') return 'delivery'
  if (field === 'translation_of') return 'article'
  const own = field.replace(/_?(id|ID)$/, '').toLowerCase()
  return ['', 'before', 'after'].includes(own) ? around : own
}

const singular = (field: string): string => field.replace(/ies$/, 'y').replace(/s$/, '')

/**
 * Makes answers of different runs equal: ids, addresses, secrets and times become those the reference shows. Numbers count on from
 * those of the names, in the order in which they are first seen.
 */
export const createShower = (names: Names, addresses: Readonly<Record<string, string>>, today: Date) => {
  const known = new Map<string, number>()
  const next = new Map<string, number>()
  const texts: [string, string][] = Object.entries(addresses)
  for (const [name, value] of Object.entries(names)) {
    const shown = SHOWN[name as Name]
    if (typeof value === 'number' && typeof shown === 'number') known.set(`${kindOf(name)}:${value}`, shown)
    else texts.push([String(value), String(shown)])
  }
  texts.sort(([a], [b]) => b.length - a.length)

  const number = (kind: string, value: number): number => {
    const key = `${kind}:${value}`
    const found = known.get(key)
    if (found !== undefined) return found
    const shown = (next.get(kind) ?? 100) + 1
    next.set(kind, shown)
    known.set(key, shown)
    return shown
  }

  const day = (text: string): string => {
    const shifted = Date.parse(text) - Date.parse(today.toISOString().slice(0, 10)) + SHOWN_DAY
    return new Date(Math.round(shifted / DAY_MS) * DAY_MS).toISOString().slice(0, 10)
  }

  const text = (value: string): string => {
    let shown = value
    for (const [real, instead] of texts) shown = shown.replaceAll(real, instead)
    for (const [mark, instead] of MARKS) shown = shown.replace(mark, instead)
    shown = shown
      .replace(
        THING,
        (_, kind: string, sign: string, id: string) => `${kind}${sign}${number(singular(kind), Number(id))}`,
      )
      .replace(PAGES, (id) => String(number('project', Number(id))))
      .replace(INSTANT, (instant) => (instant < '2030' ? '2026-11-20T09:00:00.000Z' : instant))
      .replace(DAY, (date) => (date < '2030' ? day(date) : date))
    return shown.length > MOST_CHARACTERS ? `${shown.slice(0, MOST_CHARACTERS)}…` : shown
  }

  const show = (value: unknown, field: string, around: string): unknown => {
    if (value !== null && value !== undefined && field in FIXED) return FIXED[field]
    if (typeof value === 'string') {
      const kind = /^\d+$/.test(value) ? KIND_IN_TEXT[field] : undefined
      return kind === undefined ? text(value) : String(number(kind, Number(value)))
    }
    if (typeof value === 'number')
      return /(^|_)id$|ID$|^(after|replay_of|resolved_by|translation_of)$/.test(field)
        ? number(kindOfField(field, around), value)
        : value
    if (Array.isArray(value)) return value.map((one) => show(one, field, singular(field)))
    if (typeof value !== 'object' || value === null) return value
    const inside = field === '' ? around : singular(field).toLowerCase()
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, show(one, key, inside)]))
  }

  /** Returns an answer as the reference shows it. `around` is the thing that the operation works on. */
  return (body: unknown, around: string): unknown => show(body, '', around)
}
