import { readWithProject } from '../../accounts/projects/scope.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import {
  articleOrigins,
  type EngineHost,
  type EngineProject,
  engineHostsOf,
  engineProject,
  lastReports,
  waitingReports,
} from './queries.ts'
import { hostState, originOf, usualLocation } from './rules.ts'

/** Length of the list of reports. */
const SHOWN = 20
/** Most hosts that are shown and looked at. */
const MOST_HOSTS = 5

/** Reads everything that the answers show. Throws 404, 403. */
export const readEngines = async (ctx: Ctx, id: number) => {
  const { db } = ctx
  const { results } = await readWithProject(ctx, id, {
    found: engineProject(db, id),
    hosts: engineHostsOf(db, id),
    origins: articleOrigins(db, id),
    waiting: waitingReports(db, id),
    reports: lastReports(db, id, SHOWN),
  })
  const [project] = results.found
  if (!project) throw new Error('a project without a row')
  return {
    project,
    hosts: results.hosts,
    origins: originsOf(project, results.origins.rows),
    waiting: results.waiting[0]?.count ?? 0,
    reports: results.reports,
  }
}

type Engines = Awaited<ReturnType<typeof readEngines>>

/** Returns the origins of a project's pages; before the first article, that of its blog or its site. */
const originsOf = ({ blogRootUrl, websiteUrl }: EngineProject, rows: readonly { origin: string }[]): string[] => {
  const origins = [...new Set(rows.flatMap(({ origin }) => originOf(origin) ?? []))].sort().slice(0, MOST_HOSTS)
  if (origins.length > 0) return origins
  return [originOf(blogRootUrl) ?? originOf(websiteUrl)].filter((origin) => origin !== undefined)
}

const hostAnswer = (origin: string, key: string, host: EngineHost | undefined) => ({
  origin,
  key_url: host?.location.endsWith(`/${key}.txt`) ? host.location : usualLocation(origin, key),
  state: hostState(host),
  looked_at: host?.lookedAt.toISOString() ?? null,
  verified_at: host?.verifiedAt?.toISOString() ?? null,
  problem: host?.problem ?? null,
})

/** Returns the state as answers show it. */
export const enginesAnswer = ({ project, hosts, origins, waiting, reports }: Engines) => ({
  project_id: project.id,
  tell_search_engines: project.tells,
  key: project.key,
  key_file: { name: `${project.key}.txt`, content: project.key },
  hosts: origins.map((origin) =>
    hostAnswer(
      origin,
      project.key,
      hosts.find((host) => host.origin === origin),
    ),
  ),
  waiting,
  reports: reports.flatMap(({ url, articleId, isGone, toldAt, answer }) =>
    toldAt === null || answer === null
      ? []
      : [{ url, article_id: articleId, removed: isGone, at: toldAt.toISOString(), answer }],
  ),
})

/** Shows what search engines are told about a project. One round trip; nobody is asked. Throws 404, 403. */
export const showEngines = async (ctx: Ctx, id: number) => enginesAnswer(await readEngines(ctx, id))
