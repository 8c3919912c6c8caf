import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { bundleWorkers } from '../../local/bundle.ts'
import { migrateOverNeon } from '../../local/database.ts'
import { type Stack, type StackOptions, startStack } from '../../local/stack.ts'
import { makeSchemaTemplate } from '../../local/template.ts'
import { forgetAccounts, rowsIn, type Target, tell } from './client.ts'
import { ownDatabase } from './databases.ts'
import { PATIENCE_MS } from './patience.ts'

/** A migrated stack with a database of its own, for tests that crash Workers or make services fail. */
export type TestStack = Stack & { workDir: string }

/** A Redis this late is away; sooner it is only slow, as on a busy machine. */
export const LIMITER_WAIT_MS = 2_000

/** Returns the addresses of a stack for clients of tests. */
export const targetOf = (stack: Stack): Target => ({
  url: stack.url,
  neonUrl: stack.neon.url,
  connectionString: stack.connectionString,
})

/**
 * Starts a stack on the embedded default, or on DATABASE_URL and REDIS_URL if they are set. `close` removes everything.
 */
export const startTestStack = async (options: Partial<StackOptions> = {}): Promise<TestStack> => {
  const workDir = mkdtempSync(join(tmpdir(), 'galley-test-'))
  const database = await ownDatabase()
  // The first start makes both. Neither needs the other.
  await Promise.all([bundleWorkers(undefined, workDir), database.url === undefined ? makeSchemaTemplate() : undefined])
  const stack = await startStack({
    workDir,
    databaseUrl: database.url,
    redisUrl: process.env.REDIS_URL,
    timeScale: 10,
    copies: Number(process.env.COPIES ?? '1'),
    // Tests of screenshots in a real browser are in test/browser. Here, every machine has the same answers.
    browser: { executable: undefined },
    // The clean-up in one test's minute would delete old rows of other tests.
    cleansUp: false,
    ...options,
    // A database that is away says so in tests; one that is late is a machine that is busy.
    vars: {
      // Tables of cases make more calls in one account than a caller may: the ceiling has its test in contract/outage.
      ACCOUNT_RATE_FACTOR: '1000',
      LIMITER_WAIT_MS: String(LIMITER_WAIT_MS),
      DATABASE_WAIT_MS: String(PATIENCE_MS),
      ...options.vars,
    },
  })
  const close = async () => {
    forgetAccounts(stack.neon.url)
    await stack.close()
    await database.drop()
    rmSync(workDir, { recursive: true, force: true })
  }
  try {
    await migrateOverNeon(stack.connectionString, stack.neon.url)
  } catch (error) {
    await close()
    throw error
  }
  return { ...stack, workDir, close }
}

let lent: { options: string; stack: TestStack } | undefined

/** Ends the Workers of the lent stack; its other parts end with this process. */
const endLent = (): void => {
  if (lent === undefined) return
  process.kill(lent.stack.workers().pid, 'SIGKILL')
  rmSync(lent.stack.workDir, { recursive: true, force: true })
  lent = undefined
}

const watchTheEnd = (): void => {
  process.once('exit', endLent)
  process.once('SIGTERM', () => {
    endLent()
    process.kill(process.pid, 'SIGKILL')
  })
}

/** Removes everything that tests left: rows, and fault rules of the services. */
const emptyStack = async (stack: TestStack): Promise<void> => {
  const { neon, redis, r2, qstash } = stack
  for (const url of [neon.url, redis.url, r2.url, qstash.url]) await tell(url, '/_faults')
  for (const path of ['/_message_faults', '/_delivery_faults']) await tell(qstash.url, path)
  // A job that is under way now wakes the queue at its end: the next file's rows are not its own.
  await tell(qstash.url, '/_flush', {})
  const target = targetOf(stack)
  const tables = await rowsIn<{ name: string }>(
    target,
    sql`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  await rowsIn(target, sql.raw(`truncate ${tables.map(({ name }) => name).join(', ')} cascade`))
  forgetAccounts(stack.neon.url)
}

/**
 * Returns the stack that test files of one process use one after the other, each as if it were its own: `close` empties it. For files
 * that want no others beside them, and neither crash Workers nor need settings.
 */
export const borrowTestStack = async (options = { timeScale: 1 }): Promise<TestStack> => {
  // On a real PostgreSQL a database must be dropped. A process that gets a signal has no time for that.
  if (process.env.DATABASE_URL) return await startTestStack(options)
  const wanted = JSON.stringify(options)
  if (lent === undefined) watchTheEnd()
  if (lent?.options !== wanted) {
    const last = lent
    lent = undefined
    await last?.stack.close()
    lent = { options: wanted, stack: await startTestStack(options) }
  }
  const { stack } = lent
  return { ...stack, close: () => emptyStack(stack) }
}
