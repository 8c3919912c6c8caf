import { and, eq, exists, lt, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { accounts } from '../../../schema/accounts.ts'
import { projects } from '../../../schema/projects.ts'
import type { Plan } from '../../../schema/values/accounts.ts'
import { holdAccount } from '../../platform/accounts/parts.ts'
import { includedCredits, PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { type Db, violatedUnique } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere, jsonText } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { DEFAULT_LANGUAGE } from '../../platform/lib/languages.ts'
import { checkPublicUrl, siteKey, WEB_PORTS, withScheme } from '../../platform/lib/urls.ts'
import type { Account, Ctx } from '../../platform/runtime/ctx.ts'
import type { Settings } from '../../platform/runtime/env.ts'
import { scanJob } from './jobs.ts'
import type { CreateProjectInput } from './operations.ts'
import { activeByWebsite, nextProjectId, slotUse } from './queries.ts'
import { INCLUDED_PLANS, needsScan, unscannable, usualPublishTime } from './rules.ts'
import { askForScan } from './scan.ts'
import { limitReached } from './scope.ts'
import { canonicalSettings, ignoredFields, SETTING_FIELDS } from './setting-names.ts'
import { checkRegion, columnsOf, storable } from './storable.ts'

type Created = { status: 201; body: Record<string, unknown> }
type Existing = { status: 200; body: Record<string, unknown> }

const MAX_WEBSITE_URL = 2_000

/** Returns the site's address as it is stored, and the key by which sites are compared. Errors name the field `website_url`. */
export const websiteOf = (text: string, allowLoopback: boolean): { websiteUrl: string; websiteKey: string } => {
  const checked = checkPublicUrl(withScheme(text), allowLoopback)
  if ('url' in checked) {
    const { url } = checked
    const websiteUrl = `${url.protocol}//${url.host}${url.pathname.replace(/(?<!\/)\/+$/, '')}`
    // Percent-encoding makes addresses longer, and an index entry holds 2,704 bytes at most.
    if (websiteUrl.length > MAX_WEBSITE_URL)
      throw invalidInput([
        { field: 'website_url', message: `must have at most ${MAX_WEBSITE_URL} characters when encoded` },
      ])
    return { websiteUrl, websiteKey: siteKey(url) }
  }
  const message =
    checked.refusal === 'private_host'
      ? 'must be a public website'
      : checked.refusal === 'port'
        ? WEB_PORTS
        : 'must be an http or https website address without credentials'
  const details = [{ field: 'website_url', message }]
  if (checked.refusal !== 'not_absolute') throw new ApiError('forbidden_url', `website_url: ${message}`, { details })
  throw invalidInput(details)
}

/** Backlink credits of a new project, and the statement that books them. Passed in, since projects may not import the exchange. */
export type Welcome = {
  credits: (whose: { accountId: number; websiteKey: string }) => SQL<number>
  book: (whose: { accountId: number; websiteKey: string }, projectId: number, now: Date) => SQL
}

/**
 * Returns the article credits of a new project: the plan's share, or 0 if as many projects as there are slots had theirs this month.
 *
 * Active projects count as having had theirs. So do projects changed since the last refill, which includes those archived since.
 */
const creditsOfNew = (accountId: number, id: number): SQL => {
  const had = sql`(select count(*) from ${projects} where ${projects.accountId} = ${accountId}::int and ${projects.id} <> ${id}::int
    and (${projects.status} = 'Active' or ${projects.updatedAt} >= ${accounts.creditsFilledAt}))`
  return sql`case when ${had} < ${accounts.projectSlots} then ${includedCredits(sql`${accounts.plan}`)} else 0 end`
}

/** Claims a slot of the account for a new project, and adds the project's article credits. Does nothing if the project has no row. */
const claimSlot = (db: Db, accountId: number, id: number) =>
  db
    .update(accounts)
    .set({
      activeProjects: sql`${accounts.activeProjects} + 1`,
      articleCredits: sql`${accounts.articleCredits} + ${creditsOfNew(accountId, id)}`,
    })
    .where(and(eq(accounts.id, accountId), exists(projectRow(db, id))))
    .returning({ used: accounts.activeProjects, total: accounts.projectSlots })

const projectRow = (db: Db, id: number) => db.select({ id: projects.id }).from(projects).where(eq(projects.id, id))

/** Returns the settings without those sent as null, since a new project has nothing to clear. */
const chosen = (settings: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))

/** Returns the caller's next step; onboarding only if the plan has it. */
const nextStep = (id: number, { plan }: Pick<Account, 'plan'>): string => {
  const connect = `Connect a publishing target with POST /projects/${id}/integrations`
  return PLAN_INCLUDES[plan].writer
    ? `${connect}, then save articles with POST /articles. To have keywords researched and a month planned (this spends credits: ask the user first), call POST /projects/${id}/onboarding.`
    : `${connect}, find keywords with POST /keywords/search, then save articles with POST /articles.`
}

type Same = Awaited<ReturnType<typeof activeByWebsite>>[number]

/** Returns the answer for a site that already has a project. Starts a scan of the site if the last one failed or is old. */
const existing = async (ctx: Ctx, project: Same): Promise<Existing> => {
  const isAsked = needsScan(project, ctx.now())
  const body = {
    project_id: project.id,
    website_url: project.websiteUrl,
    already_existed: true,
    message: `An active project for this website exists already. Nothing was created or changed; use PUT /projects/${project.id} to change it.${isAsked ? ' Its site is scanned again.' : ''}`,
  }
  if (isAsked) {
    const account = await ctx.account()
    await askForScan(ctx, account.id, project.id, body)
  }
  return { status: 200, body }
}

/**
 * Creates a project with its settings, claims a slot in the same transaction, and queues a scan of the site. Returns 200 if the
 * site already has an active project.
 *
 * `welcome` has the backlink credits to start with. Throws 400 for the address or a setting, 402 if no slot is free.
 */
export const createProject = async (
  ctx: Ctx,
  input: CreateProjectInput,
  welcome: Welcome,
): Promise<Created | Existing> => {
  const site = websiteOf(input.website_url, ctx.settings.allowPrivateHosts)
  const settings = storable(chosen(canonicalSettings(input)), ctx.settings)
  checkRegion(settings, String(settings.language ?? DEFAULT_LANGUAGE))
  const { same, ids, slots } = await ctx.read((owner) => ({
    same: activeByWebsite(ctx.db, owner, site.websiteKey),
    ids: nextProjectId(ctx.db),
    slots: slotUse(ctx.db, owner),
  }))
  if (same[0]) return await existing(ctx, same[0])
  const account = await ctx.account()
  const id = Number(ids.rows[0]?.id)
  const ignored = ignoredFields(input, { id, others: ['website_url'] })
  const seen = slots.rows[0] ?? { used: 0, total: account.projectSlots }
  const answer = ({ used, total, credits }: Record<'used' | 'total' | 'credits', number | SQL>) => ({
    project_id: id,
    website_url: site.websiteUrl,
    backlink_credits: credits,
    project_slots: { used, total },
    message: 'Project created. No keyword research was started and no credits were spent.',
    next_step: nextStep(id, account),
    settings_applied: Object.keys(settings),
    ...(Object.keys(ignored).length > 0 ? { ignored: Object.keys(ignored), notes: ignored } : {}),
  })
  const { columns, patches } = columnsOf(settings)
  const sentFields = Object.keys(settings)
  const whose = { accountId: account.id, websiteKey: site.websiteKey }
  const siteScanError = unscannable(site.websiteUrl)
  const mine = eq(accounts.id, account.id)
  const hasSlot = exists(
    ctx.db
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(mine, lt(accounts.activeProjects, accounts.projectSlots))),
  )
  const isMade = exists(projectRow(ctx.db, id))
  const row = {
    publishTime: usualPublishTime(id),
    ...columns,
    ...patches,
    ...site,
    id,
    accountId: account.id,
    sentFields,
    pagesRekeyAt: null,
    siteScanState: siteScanError === null ? ('pending' as const) : ('failed' as const),
    siteScanError,
    backlinkCredits: welcome.credits(whose),
  }
  const known = {
    used: sql`(select ${accounts.activeProjects} from ${accounts} where ${mine})`,
    total: sql`(select ${accounts.projectSlots} from ${accounts} where ${mine})`,
    credits: sql`(select ${projects.backlinkCredits} from ${projects} where ${eq(projects.id, id)})`,
  }
  const entry = {
    account: account.id,
    action: 'project.create',
    on: ['project', id],
    detail: { fields: sentFields },
  } as const
  try {
    const {
      projects: [made],
      claimSlot: [slot],
    } = await ctx.batch({
      account: holdAccount(account.id),
      projects: insertWhere(projects, row, { if: hasSlot, returning: { credits: projects.backlinkCredits } }),
      book: welcome.book(whose, id, ctx.now()),
      claimSlot: claimSlot(ctx.db, account.id, id),
      ...when(isMade, {
        scanJob:
          siteScanError === null &&
          enqueue(scanJob, { project_id: id }, { account: account.id, runAt: ctx.now(), open: 'keep' }),
        audit: audit(ctx, { ...entry }),
        kept: ctx.keepAnswer(jsonText(answer(known))),
      }),
    })
    if (!made || !slot) throw limitReached(ctx, Math.max(Number(seen.used), seen.total), seen.total)
    if (siteScanError === null) ctx.defer(ctx.wakeQueue())
    return { status: 201, body: answer({ ...slot, ...made }) }
  } catch (error) {
    if (violatedUnique(error) !== 'projects_active_website_unique') throw error
    const again = await ctx.read((owner) => activeByWebsite(ctx.db, owner, site.websiteKey))
    if (!again[0]) throw error
    return await existing(ctx, again[0])
  }
}

type Given = { websiteUrl: string; settings: Record<string, unknown>; articlePlan: number | null }

const Fields = z.strictObject(SETTING_FIELDS)

/**
 * Returns the columns of a project described by an archive. Its settings follow the rules for new projects. Throws 400.
 *
 * The project stays archived until the import is complete. It is not in the exchange, has no credits, and its owner has to prove
 * again that the site is theirs.
 */
export const importedProject = (
  config: Pick<Settings, 'serviceName' | 'allowPrivateHosts'>,
  plan: Plan,
  { websiteUrl, settings, articlePlan }: Given,
) => {
  const site = websiteOf(websiteUrl, config.allowPrivateHosts)
  const read = Fields.safeParse(settings)
  if (!read.success) {
    const [issue] = read.error.issues
    throw invalidInput([
      { field: `settings.${issue?.path.map(String).join('.')}`, message: issue?.message ?? 'is not valid' },
    ])
  }
  const wanted = storable(chosen(canonicalSettings(read.data as Record<string, unknown>)), config)
  checkRegion(wanted, String(wanted.language ?? DEFAULT_LANGUAGE))
  const { columns, patches } = columnsOf(wanted)
  const scanError = unscannable(site.websiteUrl)
  return {
    ...site,
    ...columns,
    ...patches,
    backlinksNetwork: false,
    sentFields: Object.keys(wanted),
    pagesRekeyAt: null,
    status: 'Archived' as const,
    articlePlan: articlePlan !== null && INCLUDED_PLANS[plan].includes(articlePlan) ? articlePlan : null,
    siteScanState: scanError === null ? ('pending' as const) : ('failed' as const),
    siteScanError: scanError,
  }
}
