import { eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { integrations } from '../../../schema/integrations.ts'

/** The site of the `integrations` row beside it, as articles keep it. */
export const site = sql`${integrations.platform} || ' ' || ${integrations.url}`

/** Returns the site of an integration, as articles keep it: the same one when it is connected again. */
export const siteOf = (integrationId: number): SQL =>
  sql`(select ${site} from ${integrations} where ${eq(integrations.id, integrationId)})`

const ifAt = (here: SQL, value: SQL): SQL =>
  sql`case when ${articles.remoteSite} is null or ${articles.remoteSite} = ${here} then ${value} end`

/** The address of an article's post at the site of the `integrations` row beside it; null where its post is on another site. */
export const urlHere = sql<string | null>`${ifAt(site, sql`${articles.url}`)}`

/** Time at which an article was sent as a draft to the site of the `integrations` row beside it; null if it was sent to another. */
export const sentAsDraftHere = sql<Date | null>`${ifAt(site, sql`${articles.sentAsDraftAt}`)}`.mapWith(
  articles.sentAsDraftAt,
)

/** True if an article was sent to the site of an integration as a draft. */
export const isSentAsDraftTo = (integrationId: number): SQL =>
  sql`(${ifAt(siteOf(integrationId), sql`${articles.sentAsDraftAt}`)} is not null)`

/** The id of an article's post at the site of the `integrations` row beside it; null where its post is or may be on another site. */
export const remoteIdHere = sql<string | null>`case when ${articles.remoteSite} = ${site} then ${articles.remoteId} end`

/** Returns the article's record of its post once a target has it; what it knew of a post on another site is removed. */
export const keptPost = (
  integrationId: number,
  { url, remoteId }: { url?: string | undefined; remoteId?: string | undefined },
) => {
  const here = siteOf(integrationId)
  return {
    url: sql`coalesce(${url ?? null}, ${ifAt(here, sql`${articles.url}`)})`,
    remoteId: sql`coalesce(${remoteId ?? null}, ${ifAt(here, sql`${articles.remoteId}`)})`,
    remoteSite: here,
  }
}
