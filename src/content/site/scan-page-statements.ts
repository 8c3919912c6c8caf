import { and, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { sitePages } from '../../../schema/site.ts'
import type { ScanProgress } from '../../accounts/projects/scan-progress.ts'
import { givenRows, read } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, overwritten, remove, update } from '../../platform/db/write-parts.ts'
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
  const filled = fillFacts({ project_id: progress.project_id, turn }, facts)
  const advanced = advance(progress, turn, runAt)
  const row = {
    projectId: filled.c.id,
    url: home.url,
    urlKey: home.key,
    title: home.title,
    keyword: home.keyword,
    metaDescription: home.description,
    readAt: now,
    seenAt: now,
    createdAt: now,
    updatedAt: now,
  }
  const { title, metaDescription, readAt, seenAt, updatedAt } = sitePages
  const kept = insert('home', sitePages, row, {
    from: [filled],
    onConflict: {
      columns: [sitePages.projectId, sitePages.urlKey],
      set: overwritten({ title, metaDescription, readAt, seenAt, updatedAt }),
      setWhere: isNull(sitePages.articleId),
    },
  })
  return statement({ unaudited: UNDER_WAY, parts: [filled, advanced, kept], answer: { id: advanced.c.id } })
}

/** Adds pages of a site that are not known yet and notes that the others were seen, at most 5,000 at once, in the order of their keys. */
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
    seenAt: now,
    createdAt: now,
    updatedAt: now,
  }
  const added = insert('added', sitePages, row, {
    from: [project, found],
    orderBy: found.c.key,
    onConflict: {
      columns: [sitePages.projectId, sitePages.urlKey],
      set: overwritten({ seenAt: sitePages.seenAt }),
      setWhere: lt(sitePages.seenAt, now),
    },
    returning: { id: sitePages.id },
  })
  return statement({ unaudited: UNDER_WAY, parts: [project, found, added], answer: { id: added.c.id } })
}

/**
 * Ends the reading of sitemaps and goes on. Pages the scan did not come across are forgotten where the list of addresses is `whole`,
 * and read again where it is not: what is gone is dropped then. Published articles stay.
 */
export const endSitemaps = (progress: ScanProgress, turn: number, runAt: Date, whole: boolean): SQL => {
  const advanced = advance(progress, turn, runAt)
  const unseen = sql`${and(
    eq(sitePages.projectId, progress.project_id),
    isNull(sitePages.articleId),
    lt(sitePages.seenAt, new Date(progress.started_at)),
    advanced.hasRows,
  )}`
  const left = whole
    ? remove('unseen', sitePages, { where: unseen })
    : update('unseen', sitePages, { readAt: null }, { where: sql`${and(unseen, isNotNull(sitePages.readAt))}` })
  return statement({ unaudited: UNDER_WAY, parts: [advanced, left], answer: { id: advanced.c.id } })
}

/** Result of reading a page. */
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
