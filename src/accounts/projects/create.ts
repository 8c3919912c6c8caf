import { holdAccount } from '../../platform/accounts/parts.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { DEFAULT_LANGUAGE } from '../../platform/lib/languages.ts'
import { checkPublicUrl, siteKey, WEB_PORTS, withScheme } from '../../platform/lib/urls.ts'
import type { Account } from '../../platform/runtime/account.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { limitReached } from './limit.ts'
import { activeByWebsite, nextProjectId, slotUse } from './queries.ts'
import { checkRegion } from './region.ts'
import { needsScan, unscannable } from './rules.ts'
import { askForScan } from './scan-statements.ts'
import type { CreateProjectInput } from './schemas.ts'
import { canonicalSettings, ignoredFields } from './settings.ts'
import { insertProject, type Scanning, type Welcome } from './statements.ts'
import { storable } from './storable.ts'

type Created = { status: 201; body: Record<string, unknown> }
type Existing = { status: 200; body: Record<string, unknown> }

const MAX_WEBSITE_URL = 2_000

/** The site's address as stored, and as compared. Throws 400 naming `website_url`. */
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

/** Returns the first state of the site's scan: with its job, or ended if there can be no site. */
const scanningOf = (websiteUrl: string): Scanning => {
  const error = unscannable(websiteUrl)
  return { state: error === null ? 'pending' : 'failed', error }
}

/** Without what was sent as null: a new project has nothing to clear. */
export const chosen = (settings: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))

/** Returns the caller's next step; onboarding only if the plan has it. */
const nextStep = (id: number, { plan }: Pick<Account, 'plan'>): string => {
  const connect = `Connect a publishing target with POST /projects/${id}/integrations`
  return PLAN_INCLUDES[plan].writer
    ? `${connect}, then save articles with POST /articles. To have keywords researched and a month planned (this spends credits: ask the user first), call POST /projects/${id}/onboarding.`
    : `${connect}, find keywords with POST /keywords/search, then save articles with POST /articles.`
}

type Same = Awaited<ReturnType<typeof activeByWebsite>>[number]

/** The answer where the site has a project; its site is scanned again if what is known of it is missing or old. */
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
    await ctx.write(askForScan(ctx, account.id, project.id, body))
    ctx.defer(ctx.wakeQueue())
  }
  return { status: 200, body }
}

/**
 * Creates and configures a project, taking a slot in the same statement, and has its site scanned. 200 when the site already
 * has one. `welcome`: the backlink credits it starts with.
 *
 * Throws 400 for the address or a setting, 402 when no slot is free.
 */
export const createProject = async (
  ctx: Ctx,
  input: CreateProjectInput,
  welcome: Welcome,
): Promise<Created | Existing> => {
  const site = websiteOf(input.website_url, ctx.settings.allowPrivateHosts)
  const settings = storable(chosen(canonicalSettings(input)), ctx.settings)
  checkRegion(settings, String(settings.language ?? DEFAULT_LANGUAGE))
  const [same, ids, slots] = await ctx.read((owner) => [
    activeByWebsite(ctx.db, owner, site.websiteKey),
    nextProjectId(ctx.db),
    slotUse(ctx.db, owner),
  ])
  if (same[0]) return await existing(ctx, same[0])
  const account = await ctx.account()
  const id = Number(ids.rows[0]?.id)
  const ignored = ignoredFields(input, { id, others: ['website_url'] })
  const seen = slots.rows[0] ?? { used: 0, total: account.projectSlots }
  const answer = <Known>({ used, total, credits }: Record<'used' | 'total' | 'credits', Known>) => ({
    project_id: id,
    website_url: site.websiteUrl,
    backlink_credits: credits,
    project_slots: { used, total },
    message: 'Project created. No keyword research was started and no credits were spent.',
    next_step: nextStep(id, account),
    settings_applied: Object.keys(settings),
    ...(Object.keys(ignored).length > 0 ? { ignored: Object.keys(ignored), notes: ignored } : {}),
  })
  try {
    const scanning = scanningOf(site.websiteUrl)
    const statement = insertProject(ctx, account.id, { id, ...site, settings, scanning }, welcome, answer)
    const locks = [holdAccount(account.id)]
    const [made] = await ctx.write<{ credits: number; used: number; total: number }>(statement, locks)
    if (!made) throw limitReached(ctx, Math.max(Number(seen.used), seen.total), seen.total)
    if (scanning.state === 'pending') ctx.defer(ctx.wakeQueue())
    return { status: 201, body: answer(made) }
  } catch (error) {
    if (violatedUnique(error) !== 'projects_active_website_unique') throw error
    const [again] = await ctx.read((owner) => [activeByWebsite(ctx.db, owner, site.websiteKey)])
    if (!again[0]) throw error
    return await existing(ctx, again[0])
  }
}
