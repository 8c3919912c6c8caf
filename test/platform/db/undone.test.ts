import { NeonDbError } from '@neondatabase/serverless'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { Db } from '../../../src/platform/db/client.ts'
import { sendBatch } from '../../../src/platform/runtime/ctx.ts'

/** Returns a database that refuses by these codes one after the other, and then has it done. */
const refusing = (...codes: string[]) => {
  const asked: unknown[] = []
  const execute = async (statement: unknown) => {
    asked.push(statement)
    const code = codes.shift()
    if (code !== undefined) throw Object.assign(new NeonDbError('refused'), { code })
    return { rows: [{ id: 7 }] }
  }
  return { db: { execute } as unknown as Db, asked }
}

const STATEMENT = sql`update articles set title = 'x'`
const send = (db: Db) => sendBatch(db, { change: STATEMENT }, { unaudited: 'a test' })

it.each(['40P01', '40001'])('a write that a conflict rolled back (%s) is repeated once', async (code) => {
  const { db, asked } = refusing(code)
  expect(await send(db)).toEqual({ change: [{ id: 7 }] })
  expect(asked).toEqual([STATEMENT, STATEMENT])
})

it('one that is rolled back again reports that nothing was changed', async () => {
  const { db } = refusing('40P01', '40P01')
  await expect(send(db)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('Nothing was changed'),
  })
})

it.each(['57014', '53300', '08006'])(
  'one that failed otherwise (%s) is not repeated: it may have been done',
  async (code) => {
    const { db, asked } = refusing(code)
    await expect(send(db)).rejects.toMatchObject({ code: 'unavailable' })
    expect(asked).toHaveLength(1)
  },
)

it.each(['57P01', '57P02', '08006', '40003'])(
  'of one during which the connection ended (%s), nobody knows the outcome',
  async (code) => {
    const { db } = refusing(code)
    await expect(send(db)).rejects.toMatchObject({ message: expect.stringContaining('not known whether') })
  },
)

it('a batch without an audit entry needs a reason, or is not sent', async () => {
  const { db, asked } = refusing()
  await expect(sendBatch(db, { change: STATEMENT })).rejects.toThrow('audit entry')
  expect(asked).toEqual([])
})
