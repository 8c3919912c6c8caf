import type { SQL } from 'drizzle-orm'
import { releaseArticle } from '../../content/articles/parts.ts'
import { statusAfter } from '../../content/articles/transitions.ts'
import { noArticlePage } from '../../content/site/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { noteUse } from '../connect/parts.ts'
import { lostUnpublishJob } from '../jobs.ts'
import { type Hold, isHeldBy } from './hold-parts.ts'

/** Readers do not see the post. `isThere`: the target still has it, as a draft. */
type Unpublished = { integrationId: number; isThere: boolean }

/** The article is a draft again. Slug and remote id stay where the post is still there, so that it is published in place. */
export const finishUnpublish = (ctx: Ctx, unpublish: Hold, taken: Unpublished, answer: unknown): SQL => {
  const now = ctx.now()
  const article = releaseArticle('idle', null, {
    where: isHeldBy(unpublish),
    also: {
      status: statusAfter('unpublish'),
      sentAsDraftAt: taken.isThere ? now : null,
      ...(taken.isThere ? {} : { remoteId: null, url: null }),
      dueTakenAt: null,
      receipt: null,
      updatedAt: now,
    },
  })
  return statement({
    parts: [
      article,
      noArticlePage(article),
      noteUse(taken.integrationId, null, article, now),
      lostUnpublishJob.finish(article, now),
      ctx.keep.done(article, answer),
    ],
    audit: audit(ctx, {
      of: article,
      account: unpublish.accountId,
      action: 'article.unpublish',
      on: ['article', article.c.id],
    }),
    answer: { id: article.c.id },
  })
}

/** It was not taken down, or that is not known: the article stays published, with the reason. */
export const finishRefusedUnpublish = (
  ctx: Ctx,
  unpublish: Hold,
  { integrationId, error }: { integrationId: number; error: string },
): SQL => {
  const now = ctx.now()
  const article = releaseArticle('failed', error, { where: isHeldBy(unpublish) })
  return statement({
    parts: [
      article,
      noteUse(integrationId, error, article, now),
      lostUnpublishJob.finish(article, now),
      ctx.keep.dropped(article),
    ],
    audit: audit(ctx, {
      of: article,
      account: unpublish.accountId,
      action: 'article.unpublish_failed',
      on: ['article', article.c.id],
    }),
    answer: { id: article.c.id },
  })
}
