import { PLAN_INCLUDES } from '../../src/accounts/plans.ts'
import { readBrief } from '../../src/articles/brief.ts'
import { articleBrief } from '../../src/articles/brief-present.ts'
import { createArticle } from '../../src/articles/create.ts'
import { removeArticle } from '../../src/articles/delete.ts'
import { articleOperations as ops } from '../../src/articles/operations.ts'
import { articleDetail, articleRow } from '../../src/articles/present.ts'
import { getArticle, listArticles } from '../../src/articles/read.ts'
import { updateArticleFields } from '../../src/articles/update.ts'
import { createApp, type HttpDeps } from '../../src/http/app.ts'
import { guard } from '../../src/http/guard.ts'
import { idParam, jsonBody, queryOf } from '../../src/http/validate.ts'

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
    .delete('/articles/:id', guard(deps, ops.remove), idParam(), async (c) =>
      c.json(await removeArticle(c.var.ctx, c.req.valid('param').id)),
    )
