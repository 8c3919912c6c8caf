import { type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import type { IndexFacts, IndexState } from '../../../schema/values/indexing.ts'

/** Google's last answer about the page of an article. */
type IndexRow = { state: IndexState; facts: IndexFacts; looked_at: string }

/** Selects the row for the present address of an article; null if Google was not asked about it. */
const indexed: SQL<IndexRow | null> = sql`(select jsonb_build_object('state', i.state, 'facts', i.facts,
    'looked_at', to_char(i.looked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from index_states i where i.article_id = ${articles.id} and i.url = ${articles.url})`

/** Last report of the present address of an article to search engines by IndexNow; null if there was none. */
const enginesTold: SQL<{ at: string; answer: number } | null> = sql`(select jsonb_build_object('answer', r.answer,
    'at', to_char(r.told_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from engine_reports r where r.project_id = ${articles.projectId} and r.url = ${articles.url} and r.told_at is not null and not r.is_gone)`

/** Columns from which `indexAnswer` makes its answer. */
export const indexColumns = {
  indexed,
  enginesTold,
  canBeInspected: sql<boolean>`exists (select 1 from search_connections c where c.project_id = ${articles.projectId} and c.source_id is not null)`,
}

type Known = { projectId: number; indexed: IndexRow | null; canBeInspected: boolean }

const whyNot = ({ projectId, indexed, canBeInspected }: Known): string | null => {
  if (indexed) return indexed.facts.reason ?? null
  return canBeInspected
    ? 'Google has not been asked about this page yet. It is asked 1, 3, 7, 14 and 28 days after publication.'
    : `The project is not connected to Google Search Console. POST /projects/${projectId}/search-console/connect returns a URL at which a person connects it.`
}

/** Returns whether Google lists the page of an article, as answers show it. */
export const indexAnswer = (known: Known) => {
  const { indexed } = known
  const facts = indexed?.facts
  return {
    state: indexed?.state ?? 'not_measured',
    google_says: facts?.coverage ?? null,
    last_crawl_at: facts?.crawled_at ?? null,
    page_fetch: facts?.fetch ?? null,
    google_canonical: facts?.google_canonical ?? null,
    looked_at: indexed?.looked_at ?? null,
    why_not_measured: whyNot(known),
    ...(facts?.link ? { link: facts.link } : {}),
    ...(facts?.sandbox ? { sandbox: true as const } : {}),
  }
}
