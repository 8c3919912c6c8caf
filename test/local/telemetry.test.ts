import { describe, expect, it } from 'vitest'
import { newAccount } from '../../local/cloudflare/server.ts'
import { countLines } from '../../local/cloudflare/telemetry.ts'

const filter = { key: '$metadata.level', operation: 'in', type: 'string', value: 'warn,error' }
const parameters = {
  filters: [filter],
  calculations: [{ operator: 'count', alias: 'lines' }],
  groupBys: [{ type: 'string', value: 'event' }],
}
const query = { queryId: 'q', timeframe: { from: 1, to: 9 }, view: 'calculations', parameters }

const line = (event: string, level = 'error', timestamp = 5) => ({ service: 'a-worker', level, event, timestamp })
const account = newAccount('acc', {
  logLines: [line('a'), line('b'), line('b'), line('b', 'info'), line('b', 'error', 10)].concat(
    Array.from({ length: 20 }, (_, n) => line(`many-${n}`)),
  ),
})

describe('the stand-in of the log counts', () => {
  it('lines of the timeframe that pass the filters, by event, the most first', () => {
    const { calculations } = countLines(account, query)
    expect(calculations?.[0]).toMatchObject({ alias: 'lines', calculation: 'count' })
    expect(calculations?.[0]?.aggregates[0]).toMatchObject({ value: 2, groups: [{ key: 'event', value: 'b' }] })
  })

  it('returns as few groups as the API, unless the query sets a limit', () => {
    expect(countLines(account, query).calculations?.[0]?.aggregates).toHaveLength(10)
    expect(countLines(account, { ...query, limit: 100 }).calculations?.[0]?.aggregates).toHaveLength(22)
  })

  it('answers nothing for another view', () => {
    expect(countLines(account, { ...query, view: 'events' })).not.toHaveProperty('calculations')
  })
})

describe('the stand-in of the log refuses, as the API does,', () => {
  const changed = (changes: object) => ({ ...query, parameters: { ...parameters, ...changes } })
  const { queryId: _, ...unnamed } = query

  it.each<[string, unknown]>([
    ['a query without a name', unnamed],
    ['instants that are no milliseconds', { ...query, timeframe: { from: '2026-11-22T00:00:00Z', to: 9 } }],
    ['a timeframe that ends before it begins', { ...query, timeframe: { from: 9, to: 1 } }],
    ['a view there is not', { ...query, view: 'counts' }],
    ['more groups than it tells of', { ...query, limit: 2_001 }],
    ['a filter without a type', changed({ filters: [{ ...filter, type: undefined }] })],
    ['an operation there is not', changed({ filters: [{ ...filter, operation: 'one_of' }] })],
    ['a list that is not one text', changed({ filters: [{ ...filter, value: ['warn', 'error'] }] })],
    ['a calculation there is not', changed({ calculations: [{ operator: 'number' }] })],
    ['an order by what is not calculated', changed({ orderBy: { value: 'level' } })],
    ['a group without a type', changed({ groupBys: [{ value: 'event' }] })],
  ])('%s', (_name, body) => {
    expect(() => countLines(account, body)).toThrow('Invalid request')
  })
})
