import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const RAW_WRITE = /\b(insert\s+into|update\s+[a-z_]+(\s+[a-z]+)?\s+set|delete\s+from)\b/i

/**
 * The kit itself; the outbox as the executor of jobs holds it; and an operator's repairs of whole tables, whoever owns them:
 * after a restore, and of secrets under a new key.
 */
const EXEMPT = [/^db\//, /^jobs\/outbox\.ts$/, /^accounts\/restored\.ts$/, /^publishing\/connect\/rotate-secrets\.ts$/]

const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !EXEMPT.some((exempt) => exempt.test(name)))

it('every write is made of typed parts: none stands in SQL text', () => {
  const root = join(import.meta.dirname, '../../src')
  expect(filesIn(root).filter((name) => RAW_WRITE.test(readFileSync(join(root, name), 'utf8')))).toEqual([])
})

it.each(['insert into articles (id)', 'update articles a set title', 'DELETE FROM outbox', 'update outbox\n set'])(
  'knows %s for a write',
  (text) => expect(text).toMatch(RAW_WRITE),
)
