import { searchAnswers } from '../../../schema/search.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { tagOfLanguage } from '../../platform/lib/languages.ts'
import { lettersOf } from '../../platform/lib/names/letters.ts'
import { namesOf, spansOf } from '../../platform/lib/names/names.ts'
import { pageKey, withScheme } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { type Asker, isLasting, isOpen, type Open, searchApiFor } from './access.ts'
import { type Asked, fetchPerformance, type Performance } from './fetch.ts'
import { connectOptions } from './link.ts'
import type { HistoryInput, PerformanceInput } from './operations.ts'
import type { SearchConsole } from './port.ts'
import { ctrOf, performanceAnswer, positionOf } from './present.ts'
import {
  type ArticlePage,
  articlesOfKept,
  articlesOfPages,
  connectionOf,
  type DayRow,
  dayRows,
  type HistoryState,
  historyState,
  keptAnswer,
  lastKeptDay,
  pageDayRows,
} from './queries.ts'
import { fetchFailed, notConnected, sandboxMark, unavailable } from './refusals.ts'
import { addDays, finalDayIn, lastFinalDay, MAX_HISTORY_DAYS, partOf, rangeOf, ZONE } from './rules.ts'

/** Domains under which anyone can have a site. The label before the domain is the name of the site. */
const SHARED =
  'github.io gitlab.io pages.dev workers.dev netlify.app vercel.app herokuapp.com web.app firebaseapp.com appspot.com run.app fly.dev onrender.com surge.sh wordpress.com wpcomstaging.com blogspot.com tumblr.com substack.com ghost.io hashnode.dev medium.com wixsite.com wixstudio.com editorx.io weebly.com squarespace.com myshopify.com webflow.io framer.app framer.website framer.ai carrd.co notion.site strikingly.com jimdosite.com jimdofree.com webnode.page webnode.com site123.me godaddysites.com mystrikingly.com hubspotpagebuilder.com bigcartel.com ecwid.com azurewebsites.net azurestaticapps.net cloudfront.net s3.amazonaws.com readthedocs.io neocities.org bitbucket.io codeberg.page livejournal.com typepad.com over-blog.com hatenablog.com fc2.com tistory.com business.site co.com uk.com us.com eu.com de.com gb.com uk.net gb.net'.split(
    ' ',
  )

/** Second-level labels under which countries register domains: `co` in `co.uk`. */
const SECOND = 'ac co com edu gen go gob gouv gov gv ltd mil ne net nom or org plc sch'.split(' ')

/** Returns the number of labels at the end of a host that do not belong to the site. */
const suffixOf = (host: string, labels: readonly string[]): number => {
  const shared = SHARED.find((one) => host.endsWith(`.${one}`))
  if (shared !== undefined) return shared.split('.').length
  return labels.length > 2 && labels.at(-1)?.length === 2 && SECOND.includes(labels.at(-2) ?? '') ? 2 : 1
}

/** Returns the name in a site's address: `shop` in `www.shop.co.uk/blog`, `acme` in `acme.github.io`. */
const siteName = (websiteKey: string): string => {
  const host =
    websiteKey
      .split('/')[0]
      ?.split(':')[0]
      ?.toLowerCase()
      .replace(/^www\./, '') ?? ''
  if (/^[\d.]+$/.test(host)) return ''
  const labels = host.split('.')
  return labels.at(-suffixOf(host, labels) - 1) ?? ''
}

const MIN_BRAND = 2

/**
 * Returns a function that is true for queries with the name of the business or site, or an alias, as whole words.
 *
 * Case, blanks, punctuation, articles and legal forms make no difference. The name may have the endings of `language`.
 */
export const brandMatcher = (
  businessName: string,
  websiteKey: string,
  aliases: readonly string[] = [],
  language = '',
): ((query: string) => boolean) => {
  const names = [businessName, siteName(websiteKey), ...aliases]
    .flatMap(namesOf)
    .filter(({ letters }) => letters.length >= MIN_BRAND)
  const how = { language: language === '' ? '' : tagOfLanguage(language), isQuery: true }
  return (query) => {
    const readings = [lettersOf(query), lettersOf(query, true)]
    return names.some((name) => readings.some((letters) => spansOf(name, letters, how).length > 0))
  }
}

const DAYS = { default: 28, max: 90 }
const LIMIT = { default: 25, max: 1_000 }

type Wanted = { days: number; limit: number; startRow: number; compare: boolean }

/** Returns the key of a stored answer: the last final day, and the parameters of the query. */
const keyOf = (now: Date, { days, limit, startRow, compare }: Wanted): string =>
  [lastFinalDay(now), days, limit, startRow, compare ? 'compare' : 'plain'].join(':')

/** Longest delay of Google so far, in days. A stored history that ends earlier is out of date. */
const LATE_DAYS = 10

const placeOf = (row: Open) => ({ property: row.property, within: partOf(row) })

/** Returns the last final day: the last stored day, or the one that Google reports if none is stored or that day is old. */
const finalDay = async (
  ctx: Ctx,
  google: SearchConsole,
  ask: Asker,
  row: Open,
  kept: string | null,
): Promise<string> => {
  const last = lastFinalDay(ctx.now())
  if (kept !== null && kept >= addDays(last, -LATE_DAYS)) return kept < last ? kept : last
  const query = { ...placeOf(row), startDate: addDays(last, -LATE_DAYS), endDate: last }
  const found = await ask((token) => google.days(token, query))
  return ('failure' in found ? undefined : finalDayIn(found.ok, last)) ?? last
}

/** Returns the form in which the address of a page is compared. The scheme may be missing. */
const keyOfPage = (page: string): string => {
  const url = URL.parse(withScheme(page))
  return url ? pageKey(url) : page
}

const answerOf = (
  row: Open,
  found: Performance,
  asked: Asked,
  articles: readonly ArticlePage[],
  google: SearchConsole,
) => {
  const known = new Map(articles.map(({ url_key: key, article_id: article }) => [key, article]))
  return {
    ...performanceAnswer(found, asked, {
      projectId: row.project_id,
      isBrand: brandMatcher(row.business_name, row.website_key, row.business_aliases, row.language),
      articleOf: (page) => known.get(keyOfPage(page)),
    }),
    ...sandboxMark(google),
  }
}

const KEPT_MS = 3_600_000

/** Queries Google and stores the answer for an hour. */
const fresh = async (
  ctx: Ctx,
  google: SearchConsole,
  row: Open,
  { days, ...wanted }: Wanted,
  { key, lastDay }: { key: string; lastDay: string | null },
) => {
  const ask = searchApiFor(ctx, google, row)
  const range = rangeOf(await finalDay(ctx, google, ask, row, lastDay), days)
  const asked = { ...placeOf(row), range, ...wanted }
  const found = await fetchPerformance(google, ask, asked, ctx.now())
  if ('failure' in found) {
    if (isLasting(found.failure)) return await fetchFailed(ctx, google, row, found.failure)
    throw unavailable(found.failure)
  }
  const pageKeys = [...new Set(found.ok.pages.map((page) => keyOfPage(page.key)))]
  const copy = { body: { ...found.ok }, pageKeys, expiresAt: new Date(ctx.now().getTime() + KEPT_MS) }
  const kept = ctx.db
    .insert(searchAnswers)
    .values({ sourceId: row.source_id, key, ...copy })
    .onConflictDoUpdate({ target: [searchAnswers.sourceId, searchAnswers.key], set: copy })
  ctx.defer(ctx.batch({ kept }, { unaudited: 'a copy of what Google said, for an hour' }))
  const articles = await ctx.read(() => articlesOfPages(ctx.db, row.project_id, pageKeys))
  return answerOf(row, found.ok, asked, articles.rows, google)
}

/**
 * Returns the performance of a project's site in Google Search. Throws 404 and 403 for the project, 503 if Google does not
 * answer now.
 *
 * A query that is repeated within the hour waits for one round trip. Any other waits for Google.
 */
export const searchPerformance = async (ctx: Ctx, google: SearchConsole, input: PerformanceInput) => {
  const { project_id: id, start_row: startRow = 0, compare = false } = input
  const days = Math.min(input.days ?? DAYS.default, DAYS.max)
  const limit = Math.min(input.limit ?? LIMIT.default, LIMIT.max)
  const now = ctx.now()
  const wanted = { days, limit, startRow, compare }
  const key = keyOf(now, wanted)
  const {
    results: { connections, kept, articles, newest },
  } = await readWithProject(ctx, id, {
    connections: connectionOf(ctx.db, id),
    kept: keptAnswer(ctx.db, id, key, now),
    articles: articlesOfKept(ctx.db, id, key, now),
    newest: lastKeptDay(ctx.db, id),
  })
  const [row] = connections.rows
  if (!row) throw new Error('a project without a row')
  if (!isOpen(row)) return await notConnected(ctx, google, row)
  if (row.failure === 'revoked') return await fetchFailed(ctx, google, row, { kind: 'revoked', message: '' })
  const [copy] = kept.rows as { body: Performance }[]
  // An answer that is stored for another part of the property cannot be used.
  if (copy && row.filtered_to === placeOf(row).within) {
    const asked = { ...placeOf(row), range: copy.body.range, limit, startRow, compare }
    return answerOf(row, copy.body, asked, articles.rows, google)
  }
  return await fresh(ctx, google, row, wanted, { key, lastDay: newest.rows[0]?.day ?? null })
}

/** Returns the range of the stored days, and whether all of them have their pages. */
const historyOf = (state: HistoryState | undefined) => ({
  from: state?.from ?? null,
  to: state?.to ?? null,
  days: Number(state?.days ?? 0),
  complete: state ? !state.missing : false,
})

/** Returns the state of a project's connection to Search Console. One round trip. Throws 404, 403. */
export const readConnectionStatus = async (ctx: Ctx, google: SearchConsole, id: number) => {
  const {
    results: { connections, state },
  } = await readWithProject(ctx, id, { connections: connectionOf(ctx.db, id), state: historyState(ctx.db, id) })
  const [row] = connections.rows
  if (!row) throw new Error('a project without a row')
  const properties = row.properties ?? []
  if (!isOpen(row)) return { ...(await notConnected(ctx, google, row)), properties }
  return {
    connected: true as const,
    project_id: id,
    integration_id: row.connection_id,
    account: row.name ?? '',
    property: row.property,
    properties,
    error: row.failure,
    connect_url: (await connectOptions(ctx, { project: id, account: row.account_id })).url,
    history: historyOf(state.rows[0]),
    ...sandboxMark(google),
  }
}

const DEFAULT_DAYS = 90

const pointOf = ({ date, clicks, impressions, position }: DayRow) => ({
  date,
  clicks,
  impressions,
  ctr: ctrOf({ clicks, impressions }),
  position: position === null ? null : positionOf(Number(position)),
})

/**
 * Returns clicks and impressions by day, from the stored days. Throws 404 and 403 for the project.
 *
 * A missing day was not fetched yet. Zeros for a page mean that it did not appear on that day.
 */
export const searchHistory = async (ctx: Ctx, google: SearchConsole, input: HistoryInput) => {
  const { project_id: id, page } = input
  const days = Math.min(input.days ?? DEFAULT_DAYS, MAX_HISTORY_DAYS)
  const from = addDays(lastFinalDay(ctx.now()), 1 - days)
  const rows = page === undefined ? dayRows(ctx.db, id, from) : pageDayRows(ctx.db, id, keyOfPage(page), from)
  const {
    results: { connections, found, state },
  } = await readWithProject(ctx, id, {
    connections: connectionOf(ctx.db, id),
    found: rows,
    state: historyState(ctx.db, id),
  })
  const [row] = connections.rows
  if (!row) throw new Error('a project without a row')
  if (!isOpen(row)) return await notConnected(ctx, google, row)
  return {
    connected: true as const,
    project_id: id,
    property: row.property,
    page: page ?? null,
    timezone: ZONE,
    days,
    points: found.rows.map(pointOf),
    history: historyOf(state.rows[0]),
    ...sandboxMark(google),
  }
}
