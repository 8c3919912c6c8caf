import { moveAfterRestore } from '../../src/accounts/restore/ahead.ts'
import {
  type Applied,
  applyEndings,
  checkReplaced,
  ENDING_TABLES,
  noteRestore,
} from '../../src/accounts/restore/apply.ts'
import { queueErasures } from '../../src/accounts/restore/erasures.ts'
import { type Ended, endEverything } from '../../src/accounts/restore/without.ts'
import type { Database } from '../database.ts'
import { type Given, type Run, UsageError } from './options.ts'

/** Opens the replaced database; undefined if none is named. Throws UsageError for wrong settings. */
const openReplaced = async ({ except }: Given, env: NodeJS.ProcessEnv): Promise<Database | undefined> => {
  const url = env.DATABASE_URL_REPLACED
  const unknown = except?.filter((table) => !ENDING_TABLES.includes(table)) ?? []
  if (unknown.length > 0)
    throw new UsageError(`--except: nothing ends in ${unknown.join(', ')}. Allowed: ${ENDING_TABLES.join(', ')}.`)
  if (!url && except) throw new UsageError('--except is only for DATABASE_URL_REPLACED.')
  if (!url) return undefined
  if (url === env.DATABASE_URL) throw new UsageError('DATABASE_URL and DATABASE_URL_REPLACED are the same database.')
  const { openDatabase } = await import('../database.ts')
  return await openDatabase(undefined, { ...env, DATABASE_URL: url })
}

const appliedText = (applied: readonly Applied[]): string => {
  const lines = applied.flatMap(({ table, changed, gone, added }) =>
    changed + gone + added > 0 ? [`  ${table}: ${changed} changed, ${gone} ended, ${added} added`] : [],
  )
  return lines.length === 0 ? 'Nothing had ended since the restored moment.' : `Ended again:\n${lines.join('\n')}`
}

const endedText = (ended: Ended): string =>
  `Without DATABASE_URL_REPLACED, what ended since the restored moment is not known. Ended: ${ended.sessions} sessions, ${ended.passwords} passwords, ${ended.passkeys} passkeys, ${ended.grants} applications, ${ended.invitations} invitations, ${ended.review_links} review links, ${ended.report_links} links to reports. ${ended.held_keys} keys wait until an owner confirms them. Removed members, freezes, unsubscribes and budgets are as they were at that moment: tell the owners.`

/** Moves a restored database ahead, and ends again in it what ended after the restored moment. */
export const databaseRestored: Run = async (sql, given, env) => {
  const replaced = await openReplaced(given, env)
  try {
    const databases = replaced && { restored: sql, replaced: replaced.run }
    if (databases) await checkReplaced(databases, given.except)
    const moved = await moveAfterRestore(sql)
    const applied = databases && (await applyEndings(databases, given.except))
    const ended = applied ? undefined : await endEverything(sql)
    await sql(queueErasures())
    await noteRestore(sql, { replaced: replaced !== undefined })
    const text = applied ? appliedText(applied) : ended ? endedText(ended) : ''
    return {
      json: { ...moved, ...(applied ? { applied } : { ended }) },
      text: `${text}\n${moved.sequences} sequences and the revisions of ${moved.articles} articles are moved ahead: no id and no delivery key is given out twice.`,
    }
  } finally {
    await replaced?.close()
  }
}
