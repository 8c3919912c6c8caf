import { and, eq, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import type { AnyPart, Part } from '../../platform/db/part.ts'
import { type Changes, type Names, type Returning, update } from '../../platform/db/write-parts.ts'

/**
 * A part that adds to the backlink credits of projects what each row of `credits` says. What is taken back from a project that
 * has spent it becomes its debt, which is paid from what it gets next: no balance goes below zero.
 */
export const addBacklinkCredits = (credits: Part<'projectId' | 'delta'>): Part => {
  const net = sql`${projects.backlinkCredits} - ${projects.backlinkDebt} + ${credits.c.delta}`
  return update(
    'credited_projects',
    projects,
    { backlinkCredits: sql`greatest(${net}, 0)`, backlinkDebt: sql`greatest(-(${net}), 0)` },
    { from: [credits], where: eq(projects.id, credits.c.projectId) },
  )
}

/** A part that spends a backlink credit of each project in `from` that has one left; one row for each that had. */
export const spendBacklinkCredit = (from: Part<'projectId'>): Part<'projectId'> =>
  update(
    'charged_projects',
    projects,
    { backlinkCredits: sql`${projects.backlinkCredits} - 1` },
    {
      from: [from],
      where: sql`${eq(projects.id, from.c.projectId)} and ${projects.backlinkCredits} >= 1`,
      returning: { projectId: projects.id },
    },
  )

/** A part that notes that the project's turn to publish is a delivery's until an instant. */
export const giveTurn = (projectId: number, delivery: Part<'id'>, until: Date): Part<'id'> =>
  update(
    'given_turn',
    projects,
    { publishingDeliveryId: delivery.c.id, publishingUntil: until },
    { from: [delivery], where: eq(projects.id, projectId), returning: { id: projects.id } },
  )

/** A part that takes the turn back from a delivery, if it has it. `held` is the project, locked. */
export const endTurn = (held: Part<'id'>, delivery: Part<'id'>): Part<'id'> =>
  update(
    'ended_turn',
    projects,
    { publishingDeliveryId: null, publishingUntil: null },
    {
      from: [held, delivery],
      where: sql`${and(eq(projects.id, held.c.id), eq(projects.publishingDeliveryId, delivery.c.id))}`,
      returning: { id: projects.id },
    },
  )

/**
 * A part that notes of a project that an article of it was seen live on its own site, which shows that the site is its owner's.
 * `looked` is the article, and whether its page was the one.
 */
export const showOwner = (looked: Part<'id' | 'projectId' | 'isSeen'>): Part =>
  update(
    'shown_owner',
    projects,
    { ownerShownAt: sql`now()` },
    {
      from: [looked],
      where: sql`${eq(projects.id, looked.c.projectId)} and ${looked.c.isSeen} and ${projects.ownerShownAt} is null
        and exists (select 1 from site_pages page where page.article_id = ${looked.c.id}
          and (page.url_key = ${projects.websiteKey} or starts_with(page.url_key, ${projects.websiteKey} || '/')))`,
    },
  )

type Change<Column extends keyof Changes<typeof projects>, R extends Returning> = {
  changes: Pick<Changes<typeof projects>, Column>
  where: SQL
  from?: readonly AnyPart[]
  returning: R
}

const change = <R extends Returning>(
  name: string,
  { changes, where, from, returning }: Change<keyof Changes<typeof projects>, R>,
) => update(name, projects, changes, { where, returning, ...(from ? { from } : {}) })

/** Columns that the scan of a project's site may change. */
type ScanColumn =
  | 'businessName'
  | 'businessDescription'
  | 'language'
  | 'sitemapUrl'
  | 'blogRootUrl'
  | 'topics'
  | 'siteScanState'
  | 'siteScanError'
  | 'siteScannedAt'
  | 'siteReadAt'

/** A part that writes how the scan of a project's site stands, and what it found. */
export const changeScan: <R extends Returning>(name: string, scan: Change<ScanColumn, R>) => Part<Names<R>> = change
