import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { contextOf, rotateProviderKeys } from '../../../src/accounts/provider-keys/keys.ts'
import type { SqlRunner } from '../../../src/platform/db/client.ts'
import { base64, parseKeyRing, seal, unseal } from '../../../src/platform/lib/crypto.ts'

const keyOf = (id: string, byte: number): string => `${id}:${base64(new Uint8Array(32).fill(byte))}`
const BEFORE = parseKeyRing(keyOf('k1', 1))
const BOTH = parseKeyRing(`${keyOf('k2', 2)},${keyOf('k1', 1)}`)

it('saved provider keys are sealed again with the first key; unreadable ones are reported', async () => {
  const good = await seal(BEFORE, '{"api_key":"a"}', contextOf(7, 'ahrefs'))
  const moved = await seal(BEFORE, '{"api_key":"b"}', contextOf(8, 'ahrefs'))
  const written: unknown[][] = []
  const dialect = new PgDialect()
  const run: SqlRunner = async <Row>(statement: SQL) => {
    const { sql: text, params } = dialect.sqlToQuery(sql`${statement}`)
    if (!text.startsWith('select')) {
      written.push(params)
      return [{ id: 1 }] as Row[]
    }
    return [
      { id: 1, account_id: 7, provider: 'ahrefs', sealed_secrets: good },
      { id: 2, account_id: 9, provider: 'ahrefs', sealed_secrets: moved },
    ] as Row[]
  }
  expect(await rotateProviderKeys(run, BOTH)).toEqual({ rotated: 1, unreadable: [2] })
  expect(written).toHaveLength(1)
  const fresh = written[0]?.find((value) => typeof value === 'string' && value.startsWith('k2.')) as string
  expect(await unseal(parseKeyRing(keyOf('k2', 2)), fresh, contextOf(7, 'ahrefs'))).toBe('{"api_key":"a"}')
  expect(written[0]).toContain(good)
})
