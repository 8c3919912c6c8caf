import { and, eq, exists, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { SERVICE_IMAGE_HOSTING } from '../../../schema/values/projects.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ApiError, noFields } from '../../platform/lib/errors.ts'
import { checkUnchanged, etagOf, withTag } from '../../platform/lib/etag.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { keepPolicyZone } from '../policy/parts.ts'
import { firstTurn, SCAN_ASKED, scanJob } from './jobs.ts'
import type { ArticlePlan, UpdateProjectInput } from './operations.ts'
import { countMovedDates, moveArticles, movePosts, type NewClock } from './planned-days.ts'
import type { ProjectRow } from './present.ts'
import { targetOf } from './queries.ts'
import { getProject, getProjectWith } from './read.ts'
import { articlesPerDay, INCLUDED_PLANS, unscannable, usualPublishTime } from './rules.ts'
import { canonicalSettings, columnName, ignoredFields, isReadOnlySetting, SETTING_NAMES } from './setting-names.ts'
import { SETTINGS } from './settings.ts'
import { checkRegion, columnsOf, type Patches, storable } from './storable.ts'

/** Settings with the addresses of the site's pages, and their columns. */
const PLACES = { sitemap_url: 'sitemapUrl', blog_root_url: 'blogRootUrl', content_pillars: 'contentPillars' } as const

/** True if the settings change one of these addresses of an active project whose site can be scanned. */
export const movesPages = (project: ProjectRow, settings: Record<string, unknown>): boolean => {
  const changed = Object.entries(PLACES).some(([name, column]) => {
    const sent = settings[name]
    return sent !== undefined && String(sent ?? '') !== String(project[column])
  })
  return changed && project.status === 'Active' && unscannable(project.websiteUrl) === null
}

type Saved = { savedAt: Date; scans: boolean; platform: string | undefined; planned: Planned }

/** Counts after a change of the project's clock: dates that moved, and dates that kept their instant but show another local time. */
type Dates = { moved: number; read_otherwise: number }

/** Effect of a new time zone or publish time on planned articles and posts. A part is absent if none of them is affected. */
type Planned = { planned_articles?: Dates; planned_posts?: Dates }

const datesOf = <Name extends keyof Planned>(name: Name, moved: number, read_otherwise: number) =>
  moved + read_otherwise > 0 ? { [name]: { moved, read_otherwise } } : {}

const noteOf = (what: string, { moved, read_otherwise: read }: Dates = { moved: 0, read_otherwise: 0 }): string => {
  const counted = (count: number) => (count === 1 ? `1 planned ${what}` : `${count} planned ${what}s`)
  const days = moved > 0 ? ` ${counted(moved)} with a day but no time moved with it.` : ''
  const instants =
    read > 0
      ? ` ${counted(read)} with an exact time stayed at it and now ${read === 1 ? 'shows' : 'show'} another local time.`
      : ''
  return days + instants
}

/** Returns sentences about the effect of a new time zone or publish time on planned articles and posts; empty if there is none. */
export const clockNote = ({ planned_articles: articles, planned_posts: posts }: Planned): string =>
  noteOf('article', articles) + noteOf('post', posts)

/** Returns the new value of a clock setting: the default if null was sent, undefined if nothing was sent. */
const clockValue = (settings: Record<string, unknown>, name: string, { default: byDefault }: { default: unknown }) => {
  const sent = settings[name]
  return sent === undefined ? undefined : String(sent ?? byDefault)
}

/** Returns the column changes for settings. JSON columns are merged, so that they keep their other keys. */
const changesOf = (settings: Record<string, unknown>) => {
  const { columns, patches } = columnsOf(settings)
  const merged = Object.entries(patches).map(([name, patch]) => {
    const column = projects[name as keyof Patches]
    return [name, sql`${column} || ${JSON.stringify(patch)}::jsonb`]
  })
  const fields = sql.param(Object.keys(settings))
  const sentFields = sql`array(select distinct unnest(${projects.sentFields} || ${fields}::text[]))`
  return { ...columns, ...Object.fromEntries(merged), sentFields }
}

/** Saves the settings. If the caller sent `If-Match`, only that version is changed; otherwise a concurrent change is no conflict. */
const save = async (ctx: Ctx, id: number, settings: ReturnType<typeof storable>): Promise<Saved> => {
  const { project, results: targets } = await getProjectWith(ctx, id, targetOf(ctx.db, id))
  const platform = targets[0]?.platform
  const { updatedAt, language } = project
  checkRegion(settings, String(settings.language ?? language))
  checkUnchanged(ctx.ifMatch, etagOf(updatedAt))
  if (Object.keys(settings).length === 0) return { savedAt: updatedAt, scans: false, platform, planned: {} }
  const { id: accountId } = await ctx.account()
  const now = ctx.now()
  // Each save gets a later instant, so that no two versions have the same ETag.
  const savedAt = new Date(Math.max(now.getTime(), updatedAt.getTime() + 1))
  const scans = movesPages(project, settings)
  const mine = and(eq(projects.id, id), eq(projects.accountId, accountId))
  const isVersion = and(mine, ctx.ifMatch && eq(projects.updatedAt, updatedAt))
  const may = exists(ctx.db.select({ id: projects.id }).from(projects).where(isVersion))
  const clock: NewClock = {
    accountId,
    projectId: id,
    timezone: clockValue(settings, 'timezone', projects.timezone),
    publishTime: clockValue(settings, 'publish_time', projects.publishTime),
    savedAt,
    now,
    if: may,
  }
  const movesClock = clock.timezone !== undefined || clock.publishTime !== undefined
  const [movePostJobs, movePostRows] = movePosts(ctx.db, clock)
  const entry = { account: accountId, action: 'project.update', on: ['project', id] } as const
  const scan = { account: accountId, runAt: now, open: 'move', replacePayload: true, if: may } as const
  const {
    countMovedDates: [read] = [],
    movedArticles = [],
    movedPosts = [],
    changed,
  } = await ctx.batch({
    project: ctx.db.select({ id: projects.id }).from(projects).where(mine).for('no key update'),
    countMovedDates: movesClock && countMovedDates(ctx.db, clock),
    movedArticles: movesClock && moveArticles(ctx.db, clock),
    movePostJobs: movesClock && movePostJobs,
    movedPosts: movesClock && movePostRows,
    scanJob: scans && enqueue(scanJob, { project_id: id, turn: firstTurn(ctx.random()) }, scan),
    ...when(may, {
      keepPolicyZone: clock.timezone !== undefined && ((isMet) => keepPolicyZone(ctx.db, id, isMet)),
      audit: audit(ctx, { ...entry, detail: { fields: Object.keys(settings) } }),
    }),
    changed: ctx.db
      .update(projects)
      .set({ ...changesOf(settings), ...(scans ? SCAN_ASKED : {}), updatedAt: savedAt })
      .where(isVersion)
      .returning({ id: projects.id }),
  })
  if (changed.length > 0) {
    const planned = {
      ...datesOf('planned_articles', movedArticles.length, read?.articles ?? 0),
      ...datesOf('planned_posts', movedPosts.length, read?.posts ?? 0),
    }
    if (scans || planned.planned_posts) ctx.defer(ctx.wakeQueue())
    return { savedAt, scans, platform, planned }
  }
  if (!ctx.ifMatch) throw new ApiError('not_found', 'The project does not exist.')
  return await save(ctx, id, settings)
}

/** Returns the value of a setting after null was sent; undefined if it then has none. */
const clearedValue = (name: string, serviceName: string): unknown => {
  const place = SETTINGS[name]?.place
  if (!place) return undefined
  const value = 'merged' in place ? place.cleared : projects[place.column].default
  return value === SERVICE_IMAGE_HOSTING ? serviceName : value
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Warning to callers that switch the backlink exchange on. */
const EXCHANGE =
  'Search engines may count links that are exchanged as a link scheme and rank the site lower: link only where it helps your readers.'

const messageOf = (settings: Record<string, unknown>, serviceName: string): string => {
  const names = Object.keys(settings)
  if (names.length === 0) return 'Nothing was updated: none of the fields can be written.'
  const cleared = names
    .filter((name) => settings[name] === null)
    .map((name) => {
      const value = clearedValue(name, serviceName)
      return isEmpty(value) ? `${name} is cleared.` : `${name} is back to its default, ${String(value)}.`
    })
  const exchange = settings.backlinks_network === true ? [EXCHANGE] : []
  return [`Updated ${names.join(', ')}.`, ...cleared, ...exchange].join(' ')
}

/** Platforms to which article images are never copied, with the reason. */
const KEEPS_IMAGES: Readonly<Record<string, string>> = {
  webhook: 'the connected webhook gets the image addresses of the text',
  git: 'a repository gets the image addresses of the text',
  notion: 'Notion stores no images, so they keep their addresses',
}

/** Returns a note for each saved setting that has less effect than its name suggests, keyed by the name. */
const effectNotes = (settings: Record<string, unknown>, platform: string | undefined): Record<string, string> => {
  const notes: Record<string, string> = {}
  const why = platform === undefined ? 'no CMS is connected yet' : KEEPS_IMAGES[platform]
  if (settings.image_hosting === 'CMS' && why !== undefined)
    notes.image_hosting = `image_hosting has an effect only with CMS targets: ${why}.`
  if (settings.social_media_ai_instructions)
    notes.social_media_ai_instructions =
      'A language model follows them when it writes posts. The built-in writer uses only the hashtags in them.'
  return notes
}

/** Returns settings with the project's own default for a time of publication that is sent as null. */
const withUsualTime = <S extends Record<string, unknown>>(settings: S, id: number): S =>
  settings.publish_time === null ? { ...settings, publish_time: usualPublishTime(id) } : settings

/**
 * Writes the given settings of a project and nothing else. The answer lists names that are not writable in `ignored`, with a note
 * on each. Throws 400 if no field is known, 404, 403, 412.
 */
export const updateProject = async (ctx: Ctx, id: number, input: UpdateProjectInput) => {
  const given = canonicalSettings(input)
  const notes = ignoredFields(input, { id })
  if (Object.keys(given).length === 0 && !Object.keys(notes).some(isReadOnlySetting))
    throw noFields('The body has no project setting. Send at least one of the writable settings.', SETTING_NAMES)
  const settings = withUsualTime(storable(given, ctx.settings), id)
  const fields = Object.keys(settings)
  const { savedAt, scans, platform, planned } = await save(ctx, id, settings)
  const answer = {
    project_id: id,
    updated_fields: fields,
    updated_columns: [...new Set(fields.map(columnName))],
    message:
      messageOf(settings, ctx.settings.serviceName) + (scans ? ' The site is scanned again.' : '') + clockNote(planned),
    ...planned,
    ignored: Object.keys(notes),
    notes: { ...notes, ...effectNotes(settings, platform) },
  }
  return withTag(answer, etagOf(savedAt))
}

/** Sets how many articles a month are planned. Never bills. Throws 402 if the account does not include the plan, 403, 404. */
export const chooseArticlePlan = async (ctx: Ctx, id: number, plan: ArticlePlan) => {
  await getProject(ctx, id)
  const account = await ctx.account()
  const included = INCLUDED_PLANS[account.plan]
  if (!included.includes(plan)) {
    const upgradeUrl = `${ctx.settings.publicUrl}/settings/billing`
    throw new ApiError(
      'plan_not_included',
      `The article plan ${plan} is not included in the account's plan. Nothing was changed or billed.`,
      {
        included_plans: included,
        upgrade_url: upgradeUrl,
        instructions_for_agent: `Tell the user that the article plan ${plan} needs a larger plan, which can be chosen at ${upgradeUrl}.`,
      },
    )
  }
  const answer = {
    project_id: id,
    plan,
    articles_per_month: plan,
    articles_per_day: articlesPerDay(plan),
    message: `The project is on the plan of ${plan} articles a month. Nothing was billed.`,
  }
  const mine = and(eq(projects.id, id), eq(projects.accountId, account.id))
  const locked = ctx.db.select({ id: projects.id }).from(projects).where(mine).for('no key update')
  const isMine = exists(ctx.db.select({ id: projects.id }).from(projects).where(mine))
  const entry = { account: account.id, action: 'project.article_plan', on: ['project', id], detail: { plan } } as const
  const { held } = await ctx.batch({
    held: locked,
    ...when(isMine, { audit: audit(ctx, { ...entry }), kept: ctx.keepAnswer(answer) }),
    changedProjects: ctx.db.update(projects).set({ articlePlan: plan, updatedAt: ctx.now() }).where(mine),
  })
  if (held.length === 0) throw new ApiError('not_found', 'The project does not exist.')
  return answer
}
