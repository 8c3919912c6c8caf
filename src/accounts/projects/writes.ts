import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { projects } from '../../../schema/projects.ts'
import type { Db } from '../../platform/db/client.ts'
import { SCAN_ASKED } from './jobs.ts'
import { isPageOfSite } from './parts.ts'
import { unscannable } from './rules.ts'

/** Locks a project. The order of locks is account, calling key, project, articles. */
export const lockProject = (db: Db, id: number | SQL) =>
  db.select({ id: projects.id }).from(projects).where(eq(projects.id, id)).for('no key update')

/** Records that the site belongs to the project's owner, if the project's article was seen live on that site. */
export const showOwner = (db: Db, articleId: number, { if: condition }: { if: SQL }) =>
  db
    .update(projects)
    .set({ ownerShownAt: sql`now()` })
    .where(
      and(
        eq(projects.id, sql`(select project_id from articles where id = ${articleId}::int)`),
        isNull(projects.ownerShownAt),
        sql`exists (select 1 from site_pages page where page.article_id = ${articleId}::int
          and ${isPageOfSite(sql`page.url_key`, sql`${projects.websiteKey}`)})`,
        condition,
      ),
    )

/** Gives the project's turn to publish to a delivery until an instant. */
export const giveTurn = (db: Db, projectId: number, deliveryId: SQL, until: Date) => (isMet: SQL) =>
  db
    .update(projects)
    .set({ publishingDeliveryId: deliveryId, publishingUntil: until })
    .where(and(eq(projects.id, projectId), isMet))

/** Ends a delivery's turn to publish, if it has the turn. */
export const endTurn = (db: Db, projectId: number | SQL, deliveryId: number) => (isMet: SQL) =>
  db
    .update(projects)
    .set({ publishingDeliveryId: null, publishingUntil: null })
    .where(and(eq(projects.id, projectId), eq(projects.publishingDeliveryId, deliveryId), isMet))

/** Address of a site: as it is shown, and the key by which sites are compared. */
type Site = { websiteUrl: string; websiteKey: string }

/**
 * Gives a project the new address of its site. What was found at the old one is cleared: a scan fills it again, and a live article
 * proves the owner again.
 */
export const moveSite = (db: Db, projectId: number, site: Site, { if: condition, now }: { if: SQL; now: Date }) => {
  const scanError = unscannable(site.websiteUrl)
  return db
    .update(projects)
    .set({
      ...site,
      sitemapUrl: '',
      blogRootUrl: '',
      sentFields: sql`array(select name from unnest(${projects.sentFields}) name where name not in ('sitemap_url', 'blog_root_url'))`,
      ...(scanError === null ? SCAN_ASKED : { siteScanState: 'failed' as const, siteScanError: scanError }),
      siteReadAt: null,
      ownerShownAt: null,
      updatedAt: now,
    })
    .where(and(eq(projects.id, projectId), condition))
    .returning({ id: projects.id })
}

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

/** Writes the state and the findings of a scan of a project's site. */
export const changeScan = (
  db: Db,
  changes: Pick<PgUpdateSetSource<typeof projects>, ScanColumn>,
  where: SQL | undefined,
) => db.update(projects).set(changes).where(where)

/** Columns that onboarding may change. */
type OnboardingColumn =
  | 'onboardingState'
  | 'onboardingError'
  | 'onboardingPlanned'
  | 'onboardingWanted'
  | 'onboardingNote'
  | 'siteScanState'
  | 'siteScanError'
  | 'articlePlan'
  | 'updatedAt'

/** Writes the state of a project's onboarding. Returns a row if the condition was met. */
export const changeOnboarding = (
  db: Db,
  changes: Pick<PgUpdateSetSource<typeof projects>, OnboardingColumn>,
  where: SQL | undefined,
) => db.update(projects).set(changes).where(where).returning({ id: projects.id })
