import { showBatch } from '../../src/content/articles/batches/show.ts'
import { startBatch } from '../../src/content/articles/batches/start.ts'
import { articleBrief, readBrief } from '../../src/content/articles/brief.ts'
import { createArticle } from '../../src/content/articles/create.ts'
import { removeArticle } from '../../src/content/articles/delete.ts'
import { articleOperations } from '../../src/content/articles/operations.ts'
import { readArticlePlan } from '../../src/content/articles/plan.ts'
import {
  articleDetail,
  articleRow,
  getArticle,
  listArticles,
  revisionRow,
  searchNote,
  setupWithoutArticles,
} from '../../src/content/articles/read.ts'
import { getRevision, listRevisions } from '../../src/content/articles/revisions.ts'
import { showStructuredData } from '../../src/content/articles/structured-data.ts'
import { generateArticle } from '../../src/content/writing/generate.ts'
import { writingOperations } from '../../src/content/writing/operations.ts'
import { PLAN_INCLUDES } from '../../src/platform/accounts/plans.ts'
import type { HttpDeps } from '../../src/platform/http/deps.ts'
import { groupApp } from '../../src/platform/http/group.ts'
import { answer, routes } from '../../src/platform/http/route.ts'
import { etagOf, withTag } from '../../src/platform/lib/etag.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'
import { callOffDeliveries } from '../../src/publishing/writes.ts'
import { editingRoutes } from './editing.ts'

const articles = routes(articleOperations, {
  list: async (ctx, { query }) => {
    const { rows, page } = await listArticles(ctx, query)
    const setup = rows.length === 0 ? await setupWithoutArticles(ctx, query.project_id) : {}
    return { articles: rows.map(articleRow), ...page, ...searchNote(query.q), ...setup }
  },
  create: async (ctx, { body }) => {
    const made = await createArticle(ctx, body)
    return answer(made.status, made.body)
  },
  createBatch: (ctx, { body }) => startBatch(ctx, body),
  getBatch: (ctx, { params }) => showBatch(ctx, params.id),
  get: async (ctx, { params }) => {
    const article = await getArticle(ctx, params.id)
    return withTag(articleDetail(article, ctx.settings.publicUrl), etagOf(article.updatedAt, article.revision))
  },
  brief: async (ctx, { params }) => {
    const found = await readBrief(ctx, params.id)
    const { plan } = await ctx.account()
    return articleBrief(found, PLAN_INCLUDES[plan].writer, ctx.now())
  },
  revisions: async (ctx, { params, query }) => {
    const { rows, page } = await listRevisions(ctx, params.id, query)
    return { article_id: params.id, revisions: rows.map(revisionRow), ...page }
  },
  revision: async (ctx, { params }) => ({
    article_id: params.id,
    ...revisionRow(await getRevision(ctx, params.id, params.revision)),
  }),
  structuredData: (ctx, { params }) => showStructuredData(ctx, params.id),
  remove: (ctx, { params }) => removeArticle(ctx, params.id, callOffDeliveries),
  plan: (ctx, { params }) => readArticlePlan(ctx, params.id),
})

const writing = routes(writingOperations, {
  generate: (ctx, { body }) => generateArticle(ctx, body),
})

/** Returns the app with the operations of articles. */
export const articlesApp = (deps: HttpDeps, targets: TargetFactory) =>
  groupApp(deps, articles, writing, editingRoutes(targets))
