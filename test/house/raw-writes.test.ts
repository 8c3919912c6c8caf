import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const RAW_WRITE = /\b(insert\s+into|update\s+[a-z_]+(\s+[a-z]+)?\s+set|delete\s+from)\b/i

/**
 * Files that may write raw SQL: the database kit, the outbox as the executor of jobs uses it, and repairs by an
 * operator.
 *
 * The repairs change whole tables of any domain: after a restore, and secrets under a new key.
 */
const EXEMPT = [
  /^platform\/db\//,
  /^platform\/jobs\/outbox\.ts$/,
  /^accounts\/restore\//,
  /^publishing\/connect\/rotate-secrets\.ts$/,
  /^accounts\/provider-keys\/keys\.ts$/,
  // Templates of docs/design/writes.md.
  /^content\/exchange\/(commit|writes)\.ts$/,
  /^content\/writing\/claim\.ts$/,
  /^publishing\/due\.ts$/,
]

const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.generated.ts') && !EXEMPT.some((exempt) => exempt.test(name)),
    )

it('every write is a statement of drizzle: none is SQL text', () => {
  const root = join(import.meta.dirname, '../../src')
  expect(filesIn(root).filter((name) => RAW_WRITE.test(readFileSync(join(root, name), 'utf8')))).toEqual([])
})

it.each(['insert into articles (id)', 'update articles a set title', 'DELETE FROM outbox', 'update outbox\n set'])(
  'knows %s for a write',
  (text) => expect(text).toMatch(RAW_WRITE),
)

const src = join(import.meta.dirname, '../../src')
/** Returns the files below src that match, except those that `but` names. */
const filesWith = (found: RegExp, but: RegExp): string[] =>
  filesIn(src).filter((name) => !but.test(name) && found.test(readFileSync(join(src, name), 'utf8')))

const OUTBOX_WRITE = /\b(insertWhere|insert|update|delete)\(\s*outbox\b/

it('only declared jobs enqueue, move and finish work', () => {
  expect(filesWith(OUTBOX_WRITE, /^platform\/jobs\//)).toEqual([])
  expect(filesWith(OUTBOX_WRITE, /^$/)).toContain('platform/jobs/enqueue.ts')
})

/** Returns the end of the parentheses that open at a place. */
const endOfCall = (text: string, open: number): number => {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return at + 1
  }
  return text.length
}

/** Returns the calls of drizzle's `update` and `delete` whose chain has no `where`. */
const unguarded = (text: string): string[] =>
  [...text.matchAll(/\bdb\s*\.(?:update|delete)(?=\([a-zA-Z]+\))/g)].flatMap((found) => {
    const names: string[] = []
    let at = endOfCall(text, found.index + found[0].length)
    for (;;) {
      const next = /^\s*\.([a-zA-Z]+)(?=\()/.exec(text.slice(at))
      if (!next) return names.includes('where') ? [] : [text.slice(found.index, at)]
      names.push(next[1] ?? '')
      at = endOfCall(text, at + next[0].length)
    }
  })

it('every update and every deletion has a condition', () => {
  expect(unguarded('ctx.db.update(people).set({ a: f(1) })')).toHaveLength(1)
  expect(unguarded('db\n  .delete(people)\n  .where(eq(f(1), 2))\n  .returning()')).toEqual([])
  const found = filesIn(src).flatMap((name) => unguarded(readFileSync(join(src, name), 'utf8')))
  expect(found).toEqual([])
})

/**
 * Files that list or shorten the audit log, undo, mail or push its actions, or note a refused sign-in once. All others only
 * write it.
 */
const READS_AUDIT =
  /^(accounts\/audit\/|platform\/db\/(audit|writes)\.ts$|platform\/accounts\/refused-sign-ins\.ts$|accounts\/people\/leaving\/tables\.ts$|publishing\/undo\/|accounts\/notices\/queries\.ts$|accounts\/events\/(jobs|queries)\.ts$)/

it('no decision uses the audit log', () => {
  expect(filesWith(/\b(auditLog|audit_log)\b/, READS_AUDIT)).toEqual([])
})
