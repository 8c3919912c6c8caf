import { approvalOperations } from '../../src/accounts/approvals/operations.ts'
import { getApproval, listApprovals } from '../../src/accounts/approvals/read.ts'
import { approvalDetail, approvalRow } from '../../src/accounts/approvals/rules.ts'
import { listAuditLog, listEvents } from '../../src/accounts/audit/log.ts'
import { auditOperations } from '../../src/accounts/audit/operations.ts'
import {
  createEndpoint,
  getEndpoint,
  listAttempts,
  listEndpoints,
  removeEndpoint,
  replayEvents,
  resumeEndpoint,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
} from '../../src/accounts/events/endpoints.ts'
import { eventOperations } from '../../src/accounts/events/operations.ts'
import { inviteByKey, makeExport, makeKey, revokeKeyByKey } from '../../src/accounts/people/by-key.ts'
import { peopleOperations } from '../../src/accounts/people/operations.ts'
import { pagesOfPeople } from '../../src/accounts/people/paths.ts'
import { planningOperations } from '../../src/accounts/planning/operations.ts'
import { planCalls } from '../../src/accounts/planning/plan-calls.ts'
import { policyOperations } from '../../src/accounts/policy/operations.ts'
import { showPolicy } from '../../src/accounts/policy/read.ts'
import { archiveProject, unarchiveProject } from '../../src/accounts/projects/archive.ts'
import { createProject } from '../../src/accounts/projects/create.ts'
import { type CreateProjectInput, projectOperations } from '../../src/accounts/projects/operations.ts'
import {
  businessContext,
  projectDetail,
  projectRow,
  projectSettings,
  projectSetup,
} from '../../src/accounts/projects/present.ts'
import { getProject, listProjects, readAccount, readOwnKey } from '../../src/accounts/projects/read.ts'
import { articlePlanListing } from '../../src/accounts/projects/rules.ts'
import { scanProject } from '../../src/accounts/projects/scan.ts'
import { chooseArticlePlan, updateProject } from '../../src/accounts/projects/update.ts'
import { exportProject, sendArchive, showExport } from '../../src/content/archive/export.ts'
import { importProject, showImport } from '../../src/content/archive/import.ts'
import { archiveIntake } from '../../src/content/archive/intake.ts'
import { archiveOperations } from '../../src/content/archive/operations.ts'
import { welcome } from '../../src/content/exchange/writes.ts'
import { onboardProject } from '../../src/insights/onboarding/start.ts'
import type { HttpDeps } from '../../src/platform/http/deps.ts'
import { fileBodies } from '../../src/platform/http/file-bodies.ts'
import { groupApp } from '../../src/platform/http/group.ts'
import { answer, routes } from '../../src/platform/http/route.ts'
import { etagOf, withTag } from '../../src/platform/lib/etag.ts'
import { CALLABLE } from './operations.generated.ts'

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
    return withTag(body, etagOf(project.updatedAt))
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
  account: (ctx, { query: { include } }) =>
    include
      ? readOwnKey(ctx, include)
      : readAccount(ctx, { operations: CALLABLE, pages: pagesOfPeople(ctx.settings.publicUrl) }),
  businessContext: async (ctx, { query }) => businessContext(await getProject(ctx, query.project_id)),
})

const audit = routes(auditOperations, {
  list: (ctx, { query }) => listAuditLog(ctx, query),
  events: (ctx, { query }) => listEvents(ctx, query),
})

const events = routes(eventOperations, {
  list: (ctx) => listEndpoints(ctx),
  create: async (ctx, { body }) => answer(201, await createEndpoint(ctx, body)),
  get: (ctx, { params }) => getEndpoint(ctx, params.id),
  change: (ctx, { params, body }) => updateEndpoint(ctx, params.id, body),
  remove: (ctx, { params }) => removeEndpoint(ctx, params.id),
  test: (ctx, { params }) => testEndpoint(ctx, params.id),
  rotate: (ctx, { params }) => rotateSecret(ctx, params.id),
  replay: (ctx, { params, body }) => replayEvents(ctx, params.id, body),
  resume: (ctx, { params }) => resumeEndpoint(ctx, params.id),
  attempts: (ctx, { params, query }) => listAttempts(ctx, params.id, query),
})

const people = routes(peopleOperations, {
  makeKey: (ctx, { body }) => makeKey(ctx, body),
  revokeKey: (ctx, { params }) => revokeKeyByKey(ctx, params.id),
  invite: (ctx, { body }) => inviteByKey(ctx, body),
  makeExport: (ctx) => makeExport(ctx),
})

const policy = routes(policyOperations, {
  get: (ctx, { params }) => showPolicy(ctx, params.id),
})

const approvals = routes(approvalOperations, {
  approvals: async (ctx, { query }) => {
    const { rows, page } = await listApprovals(ctx, query)
    return { approvals: rows.map((row) => approvalRow(row, ctx.settings.publicUrl)), ...page }
  },
  approval: async (ctx, { params }) => {
    return { approval: approvalDetail(await getApproval(ctx, params.id), ctx.settings.publicUrl) }
  },
})

/** Returns every operation with the schema of its body. Loaded with the first plan, because only plans need them. */
const allOperations = async () => (await import('../../src/operations.ts')).OPERATIONS

const planning = (deps: HttpDeps) =>
  routes(planningOperations, {
    plan: (ctx, { body }) => planCalls(ctx, deps, body, allOperations),
  })

const archives = routes(archiveOperations, {
  exportProject: (ctx, { params }) => exportProject(ctx, params.id),
  getExport: (ctx, { params }) => showExport(ctx, params.id),
  sendArchive: (ctx, { params }) => sendArchive(ctx, params.id),
  importProject: (ctx, { body }) => importProject(ctx, body),
  getImport: (ctx, { params }) => showImport(ctx, params.id),
})

/** Returns the app with the operations of projects and the account. */
export const projectsApp = (deps: HttpDeps) => {
  const files = fileBodies(deps.wait, archiveIntake(deps))
  return groupApp({ ...deps, files }, projects, audit, events, people, policy, approvals, planning(deps), archives)
}
