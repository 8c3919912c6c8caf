import { projects } from '../../../schema/projects.ts'
import { SERVICE_IMAGE_HOSTING } from '../../../schema/values/projects.ts'
import { ApiError, noFields } from '../../platform/lib/errors.ts'
import { checkUnchanged, etagOf, tagged } from '../../platform/lib/etag.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { ProjectRow } from './present.ts'
import { targetOf } from './queries.ts'
import { getProjectWith } from './read.ts'
import { checkRegion } from './region.ts'
import { unscannable } from './rules.ts'
import type { UpdateProjectInput } from './schemas.ts'
import { canonicalSettings, columnName, ignoredFields, isReadOnlySetting, SETTING_NAMES, SETTINGS } from './settings.ts'
import { updateSettings } from './statements.ts'
import { storable } from './storable.ts'

/** Settings that say where the site's pages are. */
const PLACES = { sitemap_url: 'sitemapUrl', blog_root_url: 'blogRootUrl', content_pillars: 'contentPillars' } as const

/** True if the settings name other places than the project has, at a site that can be scanned. */
const movesPages = (project: ProjectRow, settings: Record<string, unknown>): boolean => {
  const changed = Object.entries(PLACES).some(([name, column]) => {
    const sent = settings[name]
    return sent !== undefined && String(sent ?? '') !== String(project[column])
  })
  return changed && project.status === 'Active' && unscannable(project.websiteUrl) === null
}

type Saved = { savedAt: Date; scans: boolean; platform: string | undefined; planned: Planned }

/** Numbers of dates that a new clock moved, and of those that stay at their instant and now read otherwise. */
type Dates = { moved: number; read_otherwise: number }

/** Effect of a new clock on planned articles and posts; absent if it does nothing to any. */
type Planned = { planned_articles?: Dates; planned_posts?: Dates }

type Counts = Partial<
  Record<'moved_articles' | 'articles_read_otherwise' | 'moved_posts' | 'posts_read_otherwise', number>
>

const datesOf = <Name extends keyof Planned>(name: Name, moved = 0, read_otherwise = 0) =>
  moved + read_otherwise > 0 ? { [name]: { moved, read_otherwise } } : {}

const plannedIn = (counts: Counts): Planned => ({
  ...datesOf('planned_articles', counts.moved_articles, counts.articles_read_otherwise),
  ...datesOf('planned_posts', counts.moved_posts, counts.posts_read_otherwise),
})

const noteOf = (what: string, { moved, read_otherwise: read }: Dates = { moved: 0, read_otherwise: 0 }): string => {
  const counted = (count: number) => (count === 1 ? `1 planned ${what}` : `${count} planned ${what}s`)
  const days = moved > 0 ? ` ${counted(moved)} of a day moved with it.` : ''
  const instants =
    read > 0 ? ` ${counted(read)} of an instant stayed at it and now ${read === 1 ? 'reads' : 'read'} otherwise.` : ''
  return days + instants
}

/** Returns what a new time zone or publish time does to planned articles and posts; empty if nothing. */
export const clockNote = ({ planned_articles: articles, planned_posts: posts }: Planned): string =>
  noteOf('article', articles) + noteOf('post', posts)

/** Saves the settings, of the version the caller named where one was. */
const save = async (ctx: Ctx, id: number, settings: ReturnType<typeof storable>): Promise<Saved> => {
  const {
    project,
    results: [targets],
  } = await getProjectWith(ctx, id, [targetOf(ctx.db, id)] as const)
  const platform = targets[0]?.platform
  const { updatedAt, language } = project
  checkRegion(settings, String(settings.language ?? language))
  checkUnchanged(ctx.ifMatch, etagOf(updatedAt))
  if (Object.keys(settings).length === 0) return { savedAt: updatedAt, scans: false, platform, planned: {} }
  const account = await ctx.account()
  // Never the same instant twice, so that no two versions have one tag.
  const savedAt = new Date(Math.max(ctx.now().getTime(), updatedAt.getTime() + 1))
  const version = { savedAt, changedAt: ctx.ifMatch && updatedAt }
  const scans = movesPages(project, settings)
  const [changed] = await ctx.write(updateSettings(ctx, account.id, id, settings, version, scans))
  if (changed) {
    const planned = plannedIn(changed)
    if (scans || planned.planned_posts) ctx.defer(ctx.wakeQueue())
    return { savedAt, scans, platform, planned }
  }
  if (!ctx.ifMatch) throw new ApiError('not_found', 'The project does not exist.')
  return await save(ctx, id, settings)
}

/** The value a setting has after null was sent; undefined for none. */
const clearedValue = (name: string, serviceName: string): unknown => {
  const place = SETTINGS[name]?.place
  if (!place) return undefined
  const value = 'merged' in place ? place.cleared : projects[place.column].default
  return value === SERVICE_IMAGE_HOSTING ? serviceName : value
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Note for a caller who switches the exchange on. */
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

/** Platforms that images of articles are not copied to, whatever the project wants, with the reason. */
const KEEPS_IMAGES: Readonly<Record<string, string>> = {
  webhook: 'the connected webhook gets images at the addresses the text has',
  notion: 'Notion takes no images in, so they keep their addresses',
}

/** Returns a sentence for each saved setting that does less than its name says, by that name. */
const effectNotes = (settings: Record<string, unknown>, platform: string | undefined): Record<string, string> => {
  const notes: Record<string, string> = {}
  const why = platform === undefined ? 'no CMS is connected yet' : KEEPS_IMAGES[platform]
  if (settings.image_hosting === 'CMS' && why !== undefined)
    notes.image_hosting = `image_hosting has an effect with CMS targets only: ${why}.`
  if (settings.social_media_ai_instructions)
    notes.social_media_ai_instructions =
      'A language model follows them when it writes posts. The built-in writer does not read them: it takes only the hashtags they name.'
  return notes
}

/**
 * Writes the given settings of a project and nothing else. Names that are not writable come back in `ignored` with a
 * sentence each. Throws 400 when no field is known, 404, 403, 412.
 */
export const updateProject = async (ctx: Ctx, id: number, input: UpdateProjectInput) => {
  const given = canonicalSettings(input)
  const notes = ignoredFields(input, { id })
  if (Object.keys(given).length === 0 && !Object.keys(notes).some(isReadOnlySetting))
    throw noFields('The body has no project setting. Send at least one of the writable settings.', SETTING_NAMES)
  const settings = storable(given, ctx.settings)
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
  return tagged(answer, etagOf(savedAt))
}
