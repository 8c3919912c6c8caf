import { type SQL, sql } from 'drizzle-orm'
import type { articles } from '../../../schema/articles.ts'
import { copies } from '../../../schema/copies.ts'
import { integrations } from '../../../schema/integrations.ts'
import type { CopyState, PublishingPlatform } from '../../../schema/values/publishing.ts'

/** Copy of an article, as answers show it. */
export type CopyRow = {
  integration_id: number
  platform: PublishingPlatform
  name: string
  state: CopyState
  url: string | null
  canonical: string | null
  revision: number | null
  attempts: number
  next_attempt_at: string | null
  error: string | null
  warnings: string[]
  updated_at: string
}

const iso = (column: SQL): SQL => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Selects the copies of an article, by follower. */
export const copiesOf = (articleId: typeof articles.id | SQL): SQL<CopyRow[]> =>
  sql<
    CopyRow[]
  >`coalesce((select jsonb_agg(jsonb_build_object('integration_id', ${integrations.id}, 'platform', ${integrations.platform},
    'name', ${integrations.name}, 'state', ${copies.state}, 'url', ${copies.url}, 'canonical', ${copies.sentCanonical},
    'revision', ${copies.sentRevision}, 'attempts', ${copies.attempts}, 'next_attempt_at', ${iso(sql`${copies.nextAttemptAt}`)},
    'error', ${copies.error}, 'warnings', ${copies.warnings}, 'updated_at', ${iso(sql`${copies.updatedAt}`)}) order by ${copies.id})
    from ${copies} join ${integrations} on ${integrations.id} = ${copies.integrationId}
    where ${copies.articleId} = ${articleId} and (${integrations.status} <> 'Disconnected' or ${copies.sentRevision} is not null)), '[]'::jsonb)`
