import { listEvents } from '../../src/audit/events.ts'
import { auditOperations } from '../../src/audit/operations.ts'
import { listAuditLog } from '../../src/audit/read.ts'
import { welcome } from '../../src/exchange/welcome.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { groupApp } from '../../src/http/group.ts'
import { answer, routes } from '../../src/http/route.ts'
import { etagOf, tagged } from '../../src/lib/etag.ts'
import { onboardProject } from '../../src/onboarding/start.ts'
import { inviteByKey, makeExport, makeKey, revokeKeyByKey } from '../../src/people/by-key.ts'
import { peopleOperations } from '../../src/people/operations.ts'
import { pagesOfPeople } from '../../src/people/pages.ts'
import { readAccount } from '../../src/projects/account.ts'
import { archiveProject, unarchiveProject } from '../../src/projects/archive.ts'
import { chooseArticlePlan } from '../../src/projects/article-plan.ts'
import { createProject } from '../../src/projects/create.ts'
import { projectOperations } from '../../src/projects/operations.ts'
import { businessContext, projectDetail, projectRow, projectSettings } from '../../src/projects/present.ts'
import { getProject, listProjects } from '../../src/projects/read.ts'
import { articlePlanListing } from '../../src/projects/rules.ts'
import { scanProject } from '../../src/projects/scan.ts'
import type { CreateProjectInput } from '../../src/projects/schemas.ts'
import { projectSetup } from '../../src/projects/setup.ts'
import { updateProject } from '../../src/projects/update.ts'
import { LIMITS } from './limits.generated.ts'

const projects = routes(projectOperations, {
  list: async (ctx, { query }) => {
    const { rows, page } = await listProjects(ctx, query)
    return { projects: rows.map(projectRow), ...page }
  },
  create: async (ctx, { body: input }) => {
    const { status, body } = await createProject(ctx, input as CreateProjectInput, welcome)
    return answer(status, body)
  },
  get: async (ctx, { params }) => {
    const project = await getProject(ctx, params.id)
    const { plan } = await ctx.account()
    const body = {
      project: projectDetail(project),
      settings: projectSettings(project, ctx.settings.serviceName),
      article_plan: articlePlanListing(plan, project.articlePlan),
      setup: projectSetup(project),
    }
    return tagged(body, etagOf(project.updatedAt))
  },
  update: (ctx, { params, body }) => updateProject(ctx, params.id, body),
  articlePlan: (ctx, { params, body }) => chooseArticlePlan(ctx, params.id, body.plan),
  onboarding: async (ctx, { params }) => {
    const { status, body } = await onboardProject(ctx, params.id)
    return answer(status, body)
  },
  scan: (ctx, { params }) => scanProject(ctx, params.id),
  archive: (ctx, { params }) => archiveProject(ctx, params.id),
  unarchive: (ctx, { params }) => unarchiveProject(ctx, params.id),
  account: (ctx) => readAccount(ctx, { limits: LIMITS, pages: pagesOfPeople(ctx.settings.publicUrl) }),
  businessContext: async (ctx, { query }) => businessContext(await getProject(ctx, query.project_id)),
})

const audit = routes(auditOperations, {
  list: (ctx, { query }) => listAuditLog(ctx, query),
  events: (ctx, { query }) => listEvents(ctx, query),
})

const people = routes(peopleOperations, {
  makeKey: (ctx, { body }) => makeKey(ctx, body),
  revokeKey: (ctx, { params }) => revokeKeyByKey(ctx, params.id),
  invite: (ctx, { body }) => inviteByKey(ctx, body),
  makeExport: (ctx) => makeExport(ctx),
})

export const projectsApp = (deps: HttpDeps) => groupApp(deps, projects, audit, people)
