import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../schema/projects.ts'
import { sitePages } from '../../schema/site.ts'
import { givenRows, read } from '../db/read-parts.ts'
import { statement } from '../db/statement.ts'
import { insert, overwritten, remove, update } from '../db/write-parts.ts'
import type { ScanProgress } from './progress.ts'
import type { KnownPage } from './rules.ts'
import { advance, fillFacts, type SiteFacts, UNDER_WAY } from './statements.ts'

/** The home page as it was read. */
export type HomePage = KnownPage & { description: string }

/** Fills what the home page told, keeps the page itself and goes on. */
export const fillFromHome = (
  progress: ScanProgress,
  turn: number,
  runAt: Date,
  facts: SiteFacts,
  home: HomePage,
  now: Date,
): SQL => {
  const filled = fillFacts(progress.project_id, facts)
  const advanced = advance(progress, turn, runAt)
  const row = {
    projectId: filled.c.id,
    url: home.url,
    urlKey: home.key,
    title: home.title,
    keyword: home.keyword,
    metaDescription: home.description,
    readAt: now,
    createdAt: now,
    updatedAt: now,
  }
  const { title, metaDescription, readAt, updatedAt } = sitePages
  const kept = insert('home', sitePages, row, {
    from: [filled],
    onConflict: {
      columns: [sitePages.projectId, sitePages.urlKey],
      set: overwritten({ title, metaDescription, readAt, updatedAt }),
      setWhere: isNull(sitePages.articleId),
    },
  })
  return statement({ unaudited: UNDER_WAY, parts: [filled, advanced, kept], answer: { id: advanced.c.id } })
}

/** Adds pages of a site that are not known yet, at most 5,000 at once, in the order of their keys. */
export const addPages = (projectId: number, pages: readonly KnownPage[], now: Date): SQL => {
  const project = read('project', projects, { id: projects.id }, { where: eq(projects.id, projectId) })
  const found = givenRows(
    'found',
    {
      url: sitePages.url,
      key: sitePages.urlKey,
      title: sitePages.title,
      keyword: sitePages.keyword,
    },
    pages,
  )
  const row = {
    projectId: project.c.id,
    url: found.c.url,
    urlKey: found.c.key,
    title: found.c.title,
    keyword: found.c.keyword,
    createdAt: now,
    updatedAt: now,
  }
  const added = insert('added', sitePages, row, {
    from: [project, found],
    orderBy: found.c.key,
    onConflict: { columns: [sitePages.projectId, sitePages.urlKey] },
    returning: { id: sitePages.id },
  })
  return statement({ unaudited: UNDER_WAY, parts: [project, found, added], answer: { id: added.c.id } })
}

/** What reading a page gave. */
export type ReadPage = { id: number; title: string; description: string }

/** Keeps what reading pages gave, drops those that turned out to be none, and goes on. */
export const saveReadPages = (
  progress: ScanProgress,
  turn: number,
  runAt: Date,
  pages: readonly ReadPage[],
  gone: readonly number[],
  now: Date,
): SQL => {
  const advanced = advance(progress, turn, runAt)
  const found = givenRows(
    'found',
    {
      id: sitePages.id,
      title: sitePages.title,
      description: sitePages.metaDescription,
    },
    pages,
  )
  const isOurs = sql`${isNull(sitePages.articleId)} and ${advanced.hasRows}`
  const saved = update(
    'saved',
    sitePages,
    {
      title: sql`case when ${found.c.title} = '' then ${sitePages.title} else ${found.c.title} end`,
      metaDescription: found.c.description,
      readAt: now,
      updatedAt: now,
    },
    { from: [found], where: sql`${and(eq(sitePages.id, found.c.id), isOurs)}` },
  )
  const dropped = remove('dropped', sitePages, {
    where: sql`${sitePages.id} = any(${sql.param([...gone])}::int[]) and ${isOurs}`,
  })
  return statement({ unaudited: UNDER_WAY, parts: [advanced, found, saved, dropped], answer: { id: advanced.c.id } })
}
