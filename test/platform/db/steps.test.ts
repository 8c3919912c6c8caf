import { sql } from 'drizzle-orm'
import { expect, expectTypeOf, it } from 'vitest'
import { PreparedQuery } from '../../../src/platform/db/client.ts'
import {
  type Guarded,
  type Reading,
  type ResultOf,
  resultsOf,
  type Steps,
  statementsOf,
  when,
} from '../../../src/platform/db/steps.ts'

const statement = (name: string) => sql<{ id: number }>`select ${sql.raw(name)}`
const [lock, audit, first] = [statement('lock'), statement('audit'), statement('first')]
const [second, change] = [statement('second'), statement('change')]

it('steps run in the order in which they are written, with the statements of their groups and lists', () => {
  const steps = { lock, group: { audit, inner: { first } }, list: [second], change }
  expect(statementsOf(steps)).toEqual([lock, audit, first, second, change])
})

it('results have the names of their steps, whatever was left out before them', () => {
  const steps = {
    none: undefined,
    lock,
    no: false,
    list: [first, [second]],
    group: { audit, none: undefined },
    change,
  } as const
  const results = resultsOf(steps, ['of lock', 'of first', 'of second', 'of audit', 'of change'])
  expect(results).toEqual({
    none: undefined,
    lock: 'of lock',
    no: undefined,
    list: undefined,
    group: { audit: 'of audit', none: undefined },
    change: 'of change',
  })
})

it('a result has the type of its statement, and one that may be left out may be undefined', () => {
  type Found = ResultOf<{ lock: typeof lock; maybe: typeof lock | undefined; group: { change: typeof lock } }>
  expectTypeOf<Found['lock']>().toEqualTypeOf<{ id: number }[]>()
  expectTypeOf<Found['maybe']>().toEqualTypeOf<{ id: number }[] | undefined>()
  expectTypeOf<Found['group']['change']>().toEqualTypeOf<{ id: number }[]>()
})

it('a guard gives its condition to each of its steps, and leaves out what is left out', () => {
  const given: unknown[] = []
  const guarded = (made: typeof lock) => (isMet: unknown) => {
    given.push(isMet)
    return made
  }
  const isHeld = sql`select true`
  const steps = {
    lock,
    ...when(isHeld, { first: guarded(first), none: undefined, no: false, change: guarded(change) }),
  }
  expect(statementsOf(steps)).toEqual([lock, first, change])
  expect(given).toEqual([isHeld, isHeld])
  expect(resultsOf(steps, ['of lock', 'of first', 'of change'])).toMatchObject({
    first: 'of first',
    change: 'of change',
  })
})

it('a read of one query has its result, and a read of named queries has theirs by name', () => {
  const rows = new PreparedQuery(async () => [{ id: 1 }])
  expect(resultsOf(rows, ['its rows'])).toBe('its rows')
  expect(statementsOf({ article: rows, also: { site: rows, none: false } })).toEqual([rows, rows])
  expectTypeOf(resultsOf(rows, [])).toEqualTypeOf<{ id: number }[]>()
  type Found = ResultOf<{ article: typeof rows; also: undefined | { site: typeof rows } }>
  expectTypeOf<Found['article']>().toEqualTypeOf<{ id: number }[]>()
  expectTypeOf<NonNullable<Found['also']>['site']>().toEqualTypeOf<{ id: number }[]>()
})

it('a list of queries is no read, so no row is read by its place', () => {
  expectTypeOf<PreparedQuery<unknown>[]>().not.toExtend<Reading>()
  expectTypeOf<{ articles: PreparedQuery<unknown>[] }>().not.toExtend<Reading>()
})

it('a step whose condition was forgotten is none, and neither is a list of steps', () => {
  expectTypeOf<{ change: Guarded<typeof change> }>().not.toExtend<Steps>()
  expectTypeOf<(typeof change)[]>().not.toExtend<Steps>()
})
