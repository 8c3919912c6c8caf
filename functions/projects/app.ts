import { createApp, type HttpDeps } from '../../src/http/app.ts'
import { guard } from '../../src/http/guard.ts'
import { idParam, jsonBody, queryOf } from '../../src/http/validate.ts'
import { chooseArticlePlan } from '../../src/projects/article-plan.ts'
import { createProject } from '../../src/projects/create.ts'
import { onboardProject } from '../../src/projects/onboarding.ts'
import { projectOperations as ops } from '../../src/projects/operations.ts'
import {
  businessContext,
  projectDetail,
  projectRow,
  projectSettings,
  projectSetup,
} from '../../src/projects/present.ts'
import { getProject, listProjects } from '../../src/projects/read.ts'
import { articlePlanListing } from '../../src/projects/rules.ts'
import type { CreateProjectInput } from '../../src/projects/schemas.ts'
import { updateProject } from '../../src/projects/update.ts'

export const projectsApp = (deps: HttpDeps) =>
  createApp(deps)
    .basePath('/api/v1')
    .get('/projects', guard(deps, ops.list), queryOf(ops.list.query), async (c) => {
      const { rows, page } = await listProjects(c.var.ctx, c.req.valid('query'))
      return c.json({ projects: rows.map(projectRow), ...page })
    })
    .post('/projects', guard(deps, ops.create), jsonBody(ops.create.json), async (c) => {
      const { status, body } = await createProject(c.var.ctx, c.req.valid('json') as CreateProjectInput)
      return c.json(body, status)
    })
    .get('/projects/:id', guard(deps, ops.get), idParam(), async (c) => {
      const project = await getProject(c.var.ctx, c.req.valid('param').id)
      const { plan } = await c.var.ctx.account()
      return c.json({
        project: projectDetail(project),
        settings: projectSettings(project, deps.settings.serviceName),
        article_plan: articlePlanListing(plan, project.articlePlan),
        setup: projectSetup(project),
      })
    })
    .put('/projects/:id', guard(deps, ops.update), idParam(), jsonBody(ops.update.json), async (c) =>
      c.json(await updateProject(c.var.ctx, c.req.valid('param').id, c.req.valid('json'))),
    )
    .post(
      '/projects/:id/article-plan',
      guard(deps, ops.articlePlan),
      idParam(),
      jsonBody(ops.articlePlan.json),
      async (c) => c.json(await chooseArticlePlan(c.var.ctx, c.req.valid('param').id, c.req.valid('json').plan)),
    )
    .post('/projects/:id/onboarding', guard(deps, ops.onboarding), idParam(), async (c) => {
      const { status, body } = await onboardProject(c.var.ctx, c.req.valid('param').id)
      return c.json(body, status)
    })
    .get('/business-context', guard(deps, ops.businessContext), queryOf(ops.businessContext.query), async (c) =>
      c.json(businessContext(await getProject(c.var.ctx, c.req.valid('query').project_id))),
    )
