import { PLAN_INCLUDES } from '../../src/accounts/plans.ts'
import { readBrief } from '../../src/articles/brief.ts'
import { articleBrief } from '../../src/articles/brief-present.ts'
import { createArticle } from '../../src/articles/create.ts'
import { removeArticle } from '../../src/articles/delete.ts'
import { articleOperations as ops } from '../../src/articles/operations.ts'
import { articleDetail, articleRow, revisionRow } from '../../src/articles/present.ts'
import { getArticle, listArticles } from '../../src/articles/read.ts'
import { getRevision, listRevisions, restoreRevision } from '../../src/articles/revisions.ts'
import { updateArticleFields } from '../../src/articles/update.ts'
import { createApp, type HttpDeps } from '../../src/http/app.ts'
import { guard } from '../../src/http/guard.ts'
import { idParam, jsonBody, queryOf, revisionParams } from '../../src/http/validate.ts'
import { generateArticle } from '../../src/writing/generate.ts'
import { writingOperations as writing } from '../../src/writing/operations.ts'

export const articlesApp = (deps: HttpDeps) =>
  createApp(deps)
    .basePath('/api/v1')
    .get('/articles', guard(deps, ops.list), queryOf(ops.list.query), async (c) => {
      const { rows, page } = await listArticles(c.var.ctx, c.req.valid('query'))
      return c.json({ articles: rows.map(articleRow), ...page })
    })
    .post('/articles', guard(deps, ops.create), jsonBody(ops.create.json), async (c) =>
      c.json(await createArticle(c.var.ctx, c.req.valid('json')), 201),
    )
    .post('/articles/generate', guard(deps, writing.generate), jsonBody(writing.generate.json), async (c) =>
      c.json(await generateArticle(c.var.ctx, c.req.valid('json')), 202),
    )
    .get('/articles/:id', guard(deps, ops.get), idParam(), async (c) =>
      c.json(articleDetail(await getArticle(c.var.ctx, c.req.valid('param').id))),
    )
    .get('/articles/:id/brief', guard(deps, ops.brief), idParam(), async (c) => {
      const found = await readBrief(c.var.ctx, c.req.valid('param').id)
      const { plan } = await c.var.ctx.account()
      return c.json(articleBrief(found, PLAN_INCLUDES[plan].writer, deps.now()))
    })
    .put('/articles/:id', guard(deps, ops.update), idParam(), jsonBody(ops.update.json), async (c) =>
      c.json(await updateArticleFields(c.var.ctx, c.req.valid('param').id, c.req.valid('json'))),
    )
    .get('/articles/:id/revisions', guard(deps, ops.revisions), idParam(), queryOf(ops.revisions.query), async (c) => {
      const { id } = c.req.valid('param')
      const { rows, page } = await listRevisions(c.var.ctx, id, c.req.valid('query'))
      return c.json({ article_id: id, revisions: rows.map(revisionRow), ...page })
    })
    .get('/articles/:id/revisions/:revision', guard(deps, ops.revision), revisionParams(), async (c) => {
      const { id, revision } = c.req.valid('param')
      return c.json({ article_id: id, ...revisionRow(await getRevision(c.var.ctx, id, revision)) })
    })
    .post('/articles/:id/revisions/:revision/restore', guard(deps, ops.restore), revisionParams(), async (c) => {
      const { id, revision } = c.req.valid('param')
      return c.json(await restoreRevision(c.var.ctx, id, revision))
    })
    .delete('/articles/:id', guard(deps, ops.remove), idParam(), async (c) =>
      c.json(await removeArticle(c.var.ctx, c.req.valid('param').id)),
    )
