import { type Measured, measured, suggested } from '../keyword-data.ts'
import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'

/** Pattern of the keys that it accepts. */
const GOOD_KEY = /^Bearer sandbox-/
const UNMEASURED = /^unmeasured\b/

type Field = (row: Measured) => unknown

const FIELDS: Readonly<Record<string, Field>> = {
  keyword: (row) => row.keyword,
  volume: (row) => (UNMEASURED.test(row.keyword) ? null : row.volume),
  difficulty: (row) => (UNMEASURED.test(row.keyword) ? null : row.difficulty),
  cpc: (row) => row.cpcCents,
}

/** Units that a field costs for each row. */
const UNITS: Record<string, number> = { keyword: 1, volume: 10, difficulty: 10, cpc: 1 }

const QUERY = [
  'select',
  'country',
  'keywords',
  'limit',
  'order_by',
  'where',
  'match_mode',
  'terms',
  'view_for',
  'output',
]

const refused = (status: number, message: string): Answer => json(status, ['Error', message])

const faultOf = (query: URLSearchParams): Answer | undefined => {
  const strange = [...query.keys()].find((name) => !QUERY.includes(name))
  if (strange !== undefined) return json(400, { error: `unknown parameter '${strange}'` })
  if (!/^[a-z]{2}$/.test(query.get('country') ?? '')) return json(400, { error: 'bad country' })
  const fields = (query.get('select') ?? '').split(',')
  const unknown = fields.find((field) => !(field in FIELDS))
  if (unknown !== undefined) return json(400, { error: `column '${unknown}' not found` })
  if ((query.get('keywords') ?? '').split(',').length !== 1) return json(400, { error: 'one keyword at a time here' })
  return undefined
}

const rowsFor = (path: string, seed: string, country: string): Measured[] => {
  const own = measured(seed, country)
  if (path.endsWith('/overview')) return [own]
  if (path.endsWith('/matching-terms'))
    return seed.split(' ').length > 4 ? [] : [own, ...suggested(seed, 'en', country)]
  return suggested(seed.split(' ').slice(-2).join(' '), 'en', country).slice(0, 5)
}

const answered = (rows: readonly Measured[], fields: readonly string[]): Answer => {
  const cost = fields.reduce((sum, field) => sum + (UNITS[field] ?? 1), 0)
  const keywords = rows.map((row) => Object.fromEntries(fields.map((field) => [field, FIELDS[field]?.(row)])))
  return json(
    200,
    { keywords },
    {
      'x-api-rows': String(rows.length),
      'x-api-units-cost-row': String(cost),
      'x-api-units-cost-total': String(Math.max(50, cost * rows.length)),
      'x-api-units-cost-total-actual': String(Math.max(50, cost * rows.length)),
      'x-api-cache': 'no_cache',
    },
  )
}

const ERRORS: Record<string, Answer> = {
  '400': json(400, { error: 'bad request' }),
  '401': refused(401, 'Unauthorized'),
  '403': json(403, { error: 'API units limit reached' }),
  '429': refused(429, 'Too Many Requests'),
  '500': json(500, { message: 'Internal Server Error' }),
}

const answer = ({ path, query, headers }: StandInRequest): Answer => {
  if (headers.authorization === undefined) return refused(403, 'Forbidden')
  if (!GOOD_KEY.test(headers.authorization)) return refused(401, 'Unauthorized')
  if (path === '/v3/subscription-info/limits-and-usage')
    return json(200, {
      limits_and_usage: {
        subscription: 'Sandbox',
        usage_reset_date: '2026-12-01T00:00:00Z',
        units_limit_workspace: 1_000_000,
        units_usage_workspace: headers.authorization.includes('used-up') ? 1_000_000 : 1_000,
        units_limit_api_key: null,
        units_usage_api_key: 1_000,
        api_key_expiration_date: '2027-11-01T00:00:00Z',
      },
    })
  if (!/^\/v3\/keywords-explorer\/(overview|matching-terms|related-terms)$/.test(path)) return refused(404, 'Not Found')
  const seed = (query.get('keywords') ?? '').toLowerCase()
  const [, code] = /^err:(\d{3})\b/.exec(seed) ?? []
  const wanted = code === undefined ? undefined : ERRORS[code]
  const fault = wanted ?? faultOf(query)
  if (fault) return fault
  const rows = rowsFor(path, seed, query.get('country') ?? '').slice(0, Number(query.get('limit') ?? 1_000))
  return answered(rows, (query.get('select') ?? '').split(','))
}

/** Starts a stand-in of Ahrefs' API v3 on 127.0.0.1. A keyword that begins with `err:` and a status gets that status. */
export const startAhrefs = (port = 0): Promise<StandIn> => startStandIn({ port, answer, posts: () => [] })
