import { moveAfterRestore } from '../../src/accounts/restore/ahead.ts'
import { type Applied, applyEndings, ENDING_TABLES, noteRestore } from '../../src/accounts/restore/apply.ts'
import { queueErasures } from '../../src/accounts/restore/erasures.ts'
import { type Ended, endEverything } from '../../src/accounts/restore/without.ts'
import type { SqlRunner } from '../../src/platform/db/client.ts'
import { type Given, type Run, UsageError } from './options.ts'

/** Ends again what ended in the replaced database. Throws UsageError for wrong settings. */
const endAgain = async (sql: SqlRunner, { except }: Given, env: NodeJS.ProcessEnv): Promise<Applied[]> => {
  const unknown = except?.filter((table) => !ENDING_TABLES.includes(table)) ?? []
  if (unknown.length > 0)
    throw new UsageError(`--except: nothing ends in ${unknown.join(', ')}. Allowed: ${ENDING_TABLES.join(', ')}.`)
  if (env.DATABASE_URL_REPLACED === env.DATABASE_URL)
    throw new UsageError('DATABASE_URL and DATABASE_URL_REPLACED are the same database.')
  const { openDatabase } = await import('../database.ts')
  const replaced = await openDatabase(undefined, { ...env, DATABASE_URL: env.DATABASE_URL_REPLACED })
  try {
    return await applyEndings({ restored: sql, replaced: replaced.run }, except)
  } finally {
    await replaced.close()
  }
}

const appliedText = (applied: readonly Applied[]): string => {
  const lines = applied.flatMap(({ table, changed, gone, added }) =>
    changed + gone + added > 0 ? [`  ${table}: ${changed} changed, ${gone} ended, ${added} added`] : [],
  )
  return lines.length === 0 ? 'Nothing had ended since the restored moment.' : `Ended again:\n${lines.join('\n')}`
}

const endedText = (ended: Ended): string =>
  `Without DATABASE_URL_REPLACED, what ended since the restored moment is not known. Ended: ${ended.sessions} sessions, ${ended.passwords} passwords, ${ended.passkeys} passkeys, ${ended.grants} applications, ${ended.invitations} invitations, ${ended.review_links} review links. ${ended.held_keys} keys wait until an owner confirms them. Removed members, freezes, unsubscribes and budgets are as they were at that moment: tell the owners.`

/** Moves a restored database ahead, and ends again in it what ended after the restored moment. */
export const databaseRestored: Run = async (sql, given, env) => {
  const isKnown = Boolean(env.DATABASE_URL_REPLACED)
  if (!isKnown && given.except) throw new UsageError('--except is only for DATABASE_URL_REPLACED.')
  // The endings come first: if they cannot be applied, nothing was changed.
  const applied = isKnown ? await endAgain(sql, given, env) : undefined
  const ended = applied ? undefined : await endEverything(sql)
  await sql(queueErasures())
  await noteRestore(sql, { replaced: isKnown })
  const moved = await moveAfterRestore(sql)
  return {
    json: { ...moved, ...(applied ? { applied } : {}), ...(ended ? { ended } : {}) },
    text: `${applied ? appliedText(applied) : endedText(ended as Ended)}\n${moved.sequences} sequences and the revisions of ${moved.articles} articles are moved ahead: no id and no delivery key is given out twice.`,
  }
}
