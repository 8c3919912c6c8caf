import { sql } from 'drizzle-orm'
import { pageKey } from '../../../src/platform/lib/urls.ts'
import { type Api, newAccount, newArticle, rowsIn } from '../../support/client.ts'
import type { SharedStack } from '../../support/global.ts'
import { manyKeys } from '../../support/keys.ts'
import { connectedProject } from '../../support/story.ts'

type Numbers = [clicks: number, impressions: number, position: number]
export type PageData = {
  article?: number
  url?: string
  now?: Numbers
  before?: Numbers
  queries?: Record<string, Numbers>
}

const LAST = '2026-11-15'
const BEFORE = '2026-10-18'

/** Search data of two periods for pages of a project, as a sync would have kept them. */
export const seedSearch = async (stack: SharedStack, api: Api, project: number, pages: readonly PageData[]) => {
  const run = <Row>(statement: ReturnType<typeof sql>) => rowsIn<Row>(stack, statement)
  const [source] = await run<{ id: number }>(
    sql`insert into search_sources (project_id, property) values (${project}::int, 'sc-domain:x.example') returning id`,
  )
  const [connection] = await run<{ id: number }>(
    sql`insert into connections (account_id, project_id, platform, name, url, sealed_secrets)
      values (${api.accountId}::int, ${project}::int, 'Google Search Console', 'x', 'https://x.example', '') returning id`,
  )
  await run(
    sql`insert into search_connections (project_id, account_id, connection_id, source_id, google_sub, next_sync_at, next_suggestions_at)
      values (${project}::int, ${api.accountId}::int, ${connection?.id}::int, ${source?.id}::int, 'sub', now() + interval '1 day', now() + interval '1 day')`,
  )
  for (const day of [LAST, BEFORE])
    await run(
      sql`insert into search_windows (source_id, ends_on, completed_at) values (${source?.id}::int, ${day}::date, now())`,
    )
  for (const { article, url, now, before, queries = {} } of pages) {
    const [known] = article
      ? await run<{ url: string }>(sql`select url from site_pages where article_id = ${article}::int`)
      : [{ url: url ?? '' }]
    if (!known) throw new Error(`article ${article} has no page`)
    const [page] = await run<{ id: number }>(
      sql`insert into search_pages (source_id, page, page_key) values (${source?.id}::int, ${known.url}, ${pageKey(new URL(known.url))}) returning id`,
    )
    const add = (day: string, query: string, [clicks, impressions, position]: Numbers) =>
      run(
        sql`insert into search_window_rows (source_id, ends_on, page_id, query, clicks, impressions, position)
          values (${source?.id}::int, ${day}::date, ${page?.id}::int, ${query}, ${clicks}::int, ${impressions}::int, ${position}::float8)`,
      )
    if (now) await add(LAST, '', now)
    if (before) await add(BEFORE, '', before)
    for (const [query, numbers] of Object.entries(queries)) await add(LAST, query, numbers)
  }
}

export const TEXT = `<p>Oak sheds stand for decades when they are oiled. A garden shed of oak needs a dry floor and a roof that lets the rain run off. ${'The timber is cut in winter and dried for two years. '.repeat(75)}</p><h2 id="floors">Floors</h2><p>See <a href="https://wood.example/floors">floors of larch</a>.</p><h2>Roofs</h2><p>Felt or shingles keep it dry.</p>`

/** Returns an account with a project, a receiver, and live articles. */
export const openLive = async (stack: SharedStack, count: number, plan: 'pro' | 'agentic_free' = 'pro') => {
  const api = manyKeys(stack, await newAccount(stack, { plan }))
  const project = await connectedProject(api, stack)
  const articles: number[] = []
  for (let n = 0; n < count; n += 1) {
    const id = await newArticle(api, project, {
      keyword: `shed ${n + 1}`,
      title: `Sheds, part ${n + 1}`,
      content: TEXT,
      meta_description: 'Sheds.',
    })
    const { body } = await api.post(`/articles/${id}/publish`)
    if (body.status !== 'published') throw new Error(JSON.stringify(body))
    articles.push(id)
  }
  return { api, project, articles: articles as [number, ...number[]] }
}
