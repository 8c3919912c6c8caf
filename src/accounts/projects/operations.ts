import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { ARTICLE_PLANS } from '../../../schema/values/projects.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { intParam, labels, means, noBlanks } from '../../platform/lib/fields.ts'
import { ONBOARDING_USD } from './rules.ts'
import { SETTING_FIELDS } from './setting-names.ts'

const websiteUrl = z.string().check(z.trim(), z.minLength(1), z.maxLength(2_000), noBlanks())

/** Body of `POST /projects`. Unknown fields are kept, so that the answer can list them in `ignored`. */
const CreateProject = z.looseObject({
  website_url: means(
    'URL of the website. Without a scheme, `https://` is added. `POST /projects/:id/move` changes it later.',
    websiteUrl,
  ),
  ...SETTING_FIELDS,
})

/** Body of `PUT /projects/:id`. */
export const UpdateProject = z.looseObject(SETTING_FIELDS)

const ListProjects = z.object(pagingParams({ default: 200, max: 1_000 }))

const ProjectQuery = z.object({ project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)) })

/** Body of `POST /projects/:id/article-plan`. */
export const ChooseArticlePlan = z.object({
  plan: means(
    'Articles per month: 8 (premium), 30 (one a day) or 5 (for backlinks). 60 and 90 require the plan `accelerator`.',
    z.literal([...ARTICLE_PLANS]),
  ),
})

export type ArticlePlan = (typeof ARTICLE_PLANS)[number]
export type CreateProjectInput = { website_url: string } & Record<string, unknown>
export type UpdateProjectInput = Record<string, unknown>

/** Parts of `GET /account` that can be read alone. */
const ACCOUNT_PARTS = ['key', 'usage'] as const

const AccountQuery = z.object({
  include: means(
    'Returns only these parts of the response: the key, and its use in this month (UTC).',
    z.optional(labels(ACCOUNT_PARTS)),
    'all but `usage`',
  ),
})

/** Endpoints of the projects Worker. */
export const projectOperations = {
  list: {
    id: 'projects.list',
    method: 'GET',
    path: '/projects',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists the active projects.',
    query: ListProjects,
    errors: [],
  },
  create: {
    id: 'projects.create',
    method: 'POST',
    path: '/projects',
    perMinute: 10,
    costs: [{ unit: 'project_slots', amount: 1, note: 'one project slot; no credit' }],
    typicalSeconds: 60,
    scope: 'write',
    summary: 'Creates and configures a project. Starts no keyword research and spends no credits.',
    success: [201, 200],
    json: CreateProject,
    errors: ['forbidden_url', 'project_limit_reached'],
  },
  get: {
    id: 'projects.get',
    method: 'GET',
    path: '/projects/:id',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns a project with its settings and article plans.',
    etag: true,
    errors: ['not_found', 'forbidden'],
  },
  update: {
    id: 'projects.update',
    method: 'PUT',
    path: '/projects/:id',
    perMinute: 10,
    scope: 'write',
    summary: 'Changes the settings that you send. All others stay the same.',
    json: UpdateProject,
    etag: true,
    ifMatch: true,
    errors: ['no_fields', 'forbidden_url', 'not_found', 'forbidden'],
  },
  articlePlan: {
    id: 'projects.article_plan',
    method: 'POST',
    path: '/projects/:id/article-plan',
    perMinute: 10,
    scope: 'write',
    summary: 'Sets the number of planned articles per month. Never charges anything.',
    json: ChooseArticlePlan,
    errors: ['plan_not_included', 'not_found', 'forbidden'],
  },
  onboarding: {
    id: 'projects.onboarding',
    method: 'POST',
    path: '/projects/:id/onboarding',
    perMinute: 5,
    costs: [
      {
        unit: 'article_credits',
        amount: null,
        note: 'no credit by itself; each planned article costs 1 article credit when the writer starts it',
      },
    ],
    mostUsd: () => sql`${ONBOARDING_USD}::float8`,
    typicalSeconds: 300,
    isShared: true,
    scope: 'write',
    summary: 'Researches keywords and plans a month of articles. Runs only once.',
    success: [202, 200],
    errors: ['site_scan_running', 'provider_budget_used', 'not_found', 'forbidden'],
  },
  scan: {
    id: 'projects.scan',
    method: 'POST',
    path: '/projects/:id/scan',
    perMinute: 5,
    typicalSeconds: 60,
    scope: 'write',
    scopeReason: 'it starts work on the site',
    summary: 'Scans the project’s site again. Spends nothing.',
    success: [202],
    errors: ['not_found', 'forbidden'],
  },
  archive: {
    id: 'projects.archive',
    method: 'POST',
    path: '/projects/:id/archive',
    perMinute: 10,
    scope: 'write',
    summary: 'Archives a project and frees its slot. Its data stays.',
    errors: ['publish_in_progress', 'not_found', 'forbidden'],
  },
  unarchive: {
    id: 'projects.unarchive',
    method: 'POST',
    path: '/projects/:id/unarchive',
    perMinute: 10,
    costs: [{ unit: 'project_slots', amount: 1, note: 'one project slot; no credit' }],
    scope: 'write',
    summary: 'Makes an archived project active again. This uses a project slot.',
    errors: ['project_limit_reached', 'edit_conflict', 'not_found', 'forbidden'],
  },
  account: {
    id: 'account.get',
    method: 'GET',
    path: '/account',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns the account’s plan, remaining credits and project slots, limits, and the permissions of the key.',
    query: AccountQuery,
    errors: [],
  },
  businessContext: {
    id: 'business_context.get',
    method: 'GET',
    path: '/business-context',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns what a writer needs to know about the business.',
    query: ProjectQuery,
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
