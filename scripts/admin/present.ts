import type { AccountRow, KeyRow } from '../../src/platform/accounts/admin.ts'
import type { JobRow } from '../../src/platform/jobs/admin.ts'

/** Returns an ISO time. Drivers return raw timestamps in PostgreSQL's own format. */
const iso = (instant: string): string => new Date(instant).toISOString()
const isoOrNull = (instant: string | null): string | null => (instant === null ? null : iso(instant))

/** Returns an account for scripts. */
export const accountJson = (row: AccountRow) => ({
  id: row.id,
  email: row.email,
  plan: row.plan,
  project_slots: row.project_slots,
  active_projects: row.active_projects,
  article_credits: row.article_credits,
  outreach_pro: row.outreach_pro,
  outreach_beta: row.outreach_beta,
  suspended: row.suspended_at !== null,
  suspended_at: isoOrNull(row.suspended_at),
  created_at: iso(row.created_at),
})

/** Returns a key for scripts, with the secret only if it was just issued. */
export const keyJson = (row: KeyRow, key?: string) => ({
  id: row.id,
  ...(key === undefined ? {} : { key }),
  account_id: row.account_id,
  name: row.name,
  last_four: row.last_four,
  scopes: row.scopes,
  expires_at: isoOrNull(row.expires_at),
  revoked_at: isoOrNull(row.revoked_at),
  last_used_at: isoOrNull(row.last_used_at),
  created_at: iso(row.created_at),
})

/** Returns columns as wide as their widest cell, with two spaces between them. */
const aligned = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const minute = (instant: string): string => `${iso(instant).slice(0, 16).replace('T', ' ')} UTC`

/** Returns an account for people. */
export const accountText = (row: AccountRow): string =>
  aligned([
    ['Account', String(row.id)],
    ['Email', row.email],
    ['Plan', row.plan],
    ['Projects', `${row.active_projects} of ${row.project_slots} slots in use`],
    ['Article credits', String(row.article_credits)],
    ['Outreach Pro', `${row.outreach_pro ? 'yes' : 'no'}${row.outreach_beta ? '' : ' (beta closed)'}`],
    ['State', row.suspended_at === null ? 'active' : `suspended since ${minute(row.suspended_at)}`],
    ['Created', minute(row.created_at)],
  ])

const stateOf = (row: KeyRow, now: Date): string => {
  if (row.revoked_at !== null) return 'revoked'
  return row.expires_at !== null && new Date(row.expires_at) <= now ? 'expired' : 'active'
}

/** Returns keys for people, one per line. */
export const keysText = (rows: readonly KeyRow[], now: Date): string =>
  aligned([
    ['ID', 'NAME', 'KEY', 'SCOPES', 'STATE', 'EXPIRES', 'LAST USED', 'CREATED'],
    ...rows.map((row) => [
      String(row.id),
      row.name,
      `…${row.last_four}`,
      row.scopes.join(','),
      stateOf(row, now),
      row.expires_at === null ? 'never' : minute(row.expires_at),
      row.last_used_at === null ? 'never' : minute(row.last_used_at),
      minute(row.created_at),
    ]),
  ])

/** Returns a key that has just been issued, for people. */
export const issuedText = (key: string, row: KeyRow, now: Date): string =>
  `${keysText([row], now)}\n\nThe key, shown this once; only its hash is kept:\n\n  ${key}`

/** Returns a job for scripts. */
export const jobJson = (row: JobRow) => ({ ...row, id: Number(row.id), run_at: iso(row.run_at) })

/** Returns jobs for people, one per line. */
export const jobsText = (rows: readonly JobRow[]): string =>
  aligned([
    ['Job', 'State', 'Kind', 'Key', 'Runs', 'Due', 'Last error'],
    ...rows.map((row) => [
      String(row.id),
      row.state,
      row.job,
      row.key,
      String(row.attempts),
      minute(row.run_at),
      row.last_error ?? '',
    ]),
  ])
