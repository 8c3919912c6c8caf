import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { cmsImages, remoteVersions } from '../../../schema/remote.ts'
import { changeArticle } from '../../content/articles/parts.ts'
import { statusAllows } from '../../content/articles/standing-parts.ts'
import { read } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, remove } from '../../platform/db/write-parts.ts'
import type { CmsVersion } from '../target/cms-adapter.ts'
import { siteOf } from './site-parts.ts'

/** Versions kept of one article at one target; older ones are forgotten. */
const KEPT = 10

/** Keeps what readers saw until now. */
export const keepVersion = (articleId: number, integrationId: number, version: CmsVersion, now: Date): SQL => {
  const article = read('article', articles, { id: articles.id }, { where: eq(articles.id, articleId) })
  const row = { articleId: article.c.id, integrationId, version, takenAt: now }
  const kept = insert('kept', remoteVersions, row, { from: [article], returning: { id: remoteVersions.id } })
  const ofTarget = and(eq(remoteVersions.articleId, articleId), eq(remoteVersions.integrationId, integrationId))
  const newest = desc(remoteVersions.id)
  const forgotten = remove('forgotten', remoteVersions, {
    where: sql`${remoteVersions.id} in (select ${remoteVersions.id} from ${remoteVersions} where ${ofTarget} order by ${newest} offset ${KEPT - 1}::int)`,
  })
  return statement({
    unaudited: 'the change that follows is in the audit log',
    parts: [article, kept, forgotten],
    answer: { id: kept.c.id },
  })
}

/** Keeps the id of the post that an article has at its target although it is not known to be published. */
export const rememberPost = (articleId: number, integrationId: number, remoteId: string): SQL => {
  const article = changeArticle(
    'article',
    { remoteId, remoteSite: siteOf(integrationId) },
    { where: sql`${and(eq(articles.id, articleId), statusAllows('publish'))}` },
  )
  return statement({
    unaudited: 'the publication that follows is in the audit log',
    parts: [article],
    answer: { id: article.c.id },
  })
}

/** Keeps the address an image has at a target. */
export const rememberImage = (integrationId: number, urlHash: string, hostedUrl: string, now: Date): SQL => {
  const row = { integrationId, urlHash, hostedUrl, createdAt: now }
  const kept = insert('kept', cmsImages, row, { onConflict: 'ignore', returning: { urlHash: cmsImages.urlHash } })
  return statement({
    unaudited: 'the publication the image belongs to is in the audit log',
    parts: [kept],
    answer: { urlHash: kept.c.urlHash },
  })
}
