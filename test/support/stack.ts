import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateOverNeon } from '../../local/database.ts'
import { type Stack, type StackOptions, startStack } from '../../local/stack.ts'
import { makeSchemaTemplate } from '../../local/template.ts'
import { forgetAccounts } from './client.ts'
import { ownDatabase } from './databases.ts'

/** A migrated stack with a database of its own, for tests that crash Workers or make services fail. */
export type TestStack = Stack & { workDir: string }

/** Starts a stack on the embedded default, or on DATABASE_URL and REDIS_URL where they are set. `close` leaves nothing behind. */
export const startTestStack = async (options: Partial<StackOptions> = {}): Promise<TestStack> => {
  const workDir = mkdtempSync(join(tmpdir(), 'galley-test-'))
  const database = await ownDatabase()
  if (database.url === undefined) await makeSchemaTemplate()
  const stack = await startStack({
    workDir,
    databaseUrl: database.url,
    redisUrl: process.env.REDIS_URL,
    timeScale: 10,
    // Tests of screenshots in a real browser stand in test/browser; here every machine answers the same.
    browser: { executable: undefined },
    ...options,
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
