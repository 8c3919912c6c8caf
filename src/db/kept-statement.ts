import { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { inRequest, requestIdNow } from '../lib/request-scope.ts'

/** What can stand in a kept statement: what is sent as a parameter. Anything that changes the text belongs to its shape. */
type Value = number | string | Date | null | object
type Values = Record<string, Value>

/** Where a parameter comes from: the name of a value, or a word of the statement itself. */
type Source = { name: string } | { word: unknown }
type Kept = { text: string; sources: readonly Source[] }

/** Texts of one statement that are kept; one that comes in more shapes is made each time. */
const MOST_SHAPES = 50
const REQUEST = '(request)'

const dialect = new PgDialect()

/** A value as drizzle's encoders send it. */
const sent = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

const kindOf = (value: Value): string => {
  if (value === null) return 'null'
  if (value instanceof Date) return 'instant'
  if (typeof value === 'string') return /^https?:/i.test(value) ? 'address' : 'text'
  return typeof value
}

const kindsOf = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}:${kindOf(value)}`)
    .join(' ')

/** A made-up value of the same kind, another one for each name and each of two makings. */
const sample = (value: Value, at: number, making: number): Value => {
  switch (kindOf(value)) {
    case 'number':
      return 1_500_000_000 + 1_000 * making + at
    case 'instant':
      // No whole second, minute or day, and days apart.
      return new Date(Date.UTC(2001 + making, 0, 1 + 3 * at, 1, 2, 3, 45))
    case 'text':
      return `sample ${making} ${at}`
    case 'address':
      return `https://sample-${making}-${at}.example/page`
    case 'object':
      return { sample: `${making} ${at}` }
    default:
      return null
  }
}

const samplesOf = (values: Values, making: number): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value], at) => [name, sample(value, at, making)]))

/** Which value a parameter is, by what it was in two makings. */
const sourceOf = (params: readonly [unknown, unknown], given: readonly [Values, Values]): Source => {
  if (params[0] === params[1]) return { word: params[0] }
  const names = Object.keys(given[0]).filter((name) => given.every((values, n) => sent(values[name]) === params[n]))
  const [name] = names
  if (name === undefined || names.length > 1)
    throw new Error(`a kept statement has a parameter that is none of its values, or several: ${String(params[0])}`)
  return { name }
}

/** A statement whose text was made before. To be sent as it is: no piece of another. */
class KeptStatement extends SQL {
  readonly #query: { sql: string; params: unknown[] }

  constructor(query: { sql: string; params: unknown[] }) {
    super([])
    this.#query = query
  }

  override toQuery() {
    return this.#query
  }
}

/**
 * A writing statement whose text is made once for each shape, in place of every time. `make` makes it from a shape (what the text
 * depends on; few of them) and values; `derived` names what `make` computes from values on the way.
 *
 * The text is made of made-up values, twice: what differs must be one of the values, so that none of a caller's can stay in
 * it. A statement that holds something else throws when it is first made.
 */
export const keptStatement = <S, V extends Values>(
  make: (shape: S, values: V) => SQL,
  derived: (values: V) => Values = () => ({}),
) => {
  const texts = new Map<string, Kept | undefined>()

  const allOf = (values: V, requestId: string | undefined): Values => ({
    ...values,
    ...derived(values),
    ...(requestId === undefined ? {} : { [REQUEST]: requestId }),
  })

  /** Undefined where made-up values are of another kind than those given, once `derived` has read them. */
  const keep = (shape: S, values: V, requestId: string | undefined): Kept | undefined => {
    const wanted = kindsOf(allOf(values, requestId))
    const makings = [0, 1].map((making) => {
      const samples = samplesOf(values, making) as V
      const id = requestId === undefined ? undefined : `sample request ${making}`
      const build = () => dialect.sqlToQuery(make(shape, samples))
      const { sql, params } = id === undefined ? build() : inRequest(id, build)
      return { sql, params: params.map(sent), given: allOf(samples, id) }
    })
    const [one, other] = makings as [(typeof makings)[0], (typeof makings)[0]]
    if (makings.some(({ given }) => kindsOf(given) !== wanted)) return undefined
    if (one.sql !== other.sql) throw new Error('the text of a kept statement depends on its values')
    const sources = one.params.map((param, n) => sourceOf([param, other.params[n]], [one.given, other.given]))
    return { text: one.sql, sources }
  }

  return (shape: S, values: V): SQL => {
    const requestId = requestIdNow()
    const all = allOf(values, requestId)
    const key = `${JSON.stringify(shape)} ${kindsOf(all)}`
    if (!texts.has(key) && texts.size < MOST_SHAPES) texts.set(key, keep(shape, values, requestId))
    const kept = texts.get(key)
    if (!kept) return make(shape, values)
    const params = kept.sources.map((source) => ('name' in source ? sent(all[source.name]) : source.word))
    return new KeptStatement({ sql: kept.text, params })
  }
}
