import { sql } from 'drizzle-orm'
import type { SqlRunner } from '../../src/platform/accounts/admin.ts'
import { OWNER } from './database.ts'

/**
 * People of the sample with their roles and the days since they came. A person who signs up as the owner becomes that
 * owner.
 */
const TEAM = JSON.stringify([
  { email: OWNER, name: '', role: 'owner', days: 40 },
  { email: 'member@galley.local', name: 'Noor Haddad', role: 'member', days: 30 },
  { email: 'editor@galley.local', name: 'Kim Larsen', role: 'editor', days: 12 },
  { email: 'client@galley.local', name: '', role: 'client', days: 5 },
])

/** Makes a person of each role in the account of the sample project, and an invitation that nobody has accepted yet. */
export const makeTeam = async (run: SqlRunner, project: number): Promise<void> => {
  await run(sql`
    with site as (select id, account_id from projects where id = ${project}::int),
      team as (select * from jsonb_to_recordset(${TEAM}::jsonb) as t(email text, name text, role text, days int)),
      made as (insert into people (id, name, email, email_verified, account_id)
        select gen_random_uuid()::text, name, email, role <> 'owner', account_id from team, site returning id, email)
    insert into memberships (person_id, account_id, role, project_id, created_at)
      select made.id, site.account_id, team.role, case when team.role in ('editor', 'client') then site.id end, now() - team.days * interval '1 day'
      from made join team using (email), site`)
  await run(sql`
    insert into invitations (account_id, email, role, project_id, token_hash, invited_by, expires_at, created_at)
      select account_id, 'guest@galley.local', 'editor', id, gen_random_uuid()::text, ${OWNER}, now() + interval '6 days', now() - interval '1 day'
      from projects where id = ${project}::int`)
}
