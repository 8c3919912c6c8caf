import { and, eq } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { audit } from '../../platform/db/writes.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { lookForKey } from './key-file.ts'
import type { VerifyKeyInput } from './operations.ts'
import type { EngineHost } from './queries.ts'
import { enginesAnswer, readEngines } from './show.ts'
import { keepHost, tellNow } from './writes.ts'

const messageOf = (hosts: readonly EngineHost[], tells: boolean): string => {
  const missing = hosts.filter(({ verifiedAt }) => verifiedAt === null).map(({ origin }) => origin)
  if (missing.length > 0)
    return `The key file was not found at ${missing.join(', ')}, so nothing is reported about its pages. hosts shows where it belongs.`
  return tells
    ? 'The key file is there. Search engines are told about changes from now on.'
    : 'The key file is there. Set tell_search_engines to true, so that search engines are told about changes.'
}

/**
 * Looks for the key file at the hosts of a project now, and stores what was found. Throws 404, 403.
 *
 * Reports that wait are sent if the file is there. A refused key is tried again.
 */
export const verifyKey = async (
  ctx: Ctx,
  targets: TargetFactory,
  id: number,
  { new_key: isNew = false }: VerifyKeyInput,
) => {
  const read = await readEngines(ctx, id)
  const key = isNew ? ctx.newId().replaceAll('-', '') : read.project.key
  const project = { ...read.project, key }
  const looks = await Promise.all(
    read.origins.map((origin) =>
      lookForKey(
        ctx,
        targets,
        project,
        origin,
        read.hosts.find((host) => host.origin === origin),
      ),
    ),
  )
  const hosts = looks.map((host) => ({ ...host, refusals: 0, pausedUntil: null }))
  const others = read.hosts.filter(({ origin }) => !read.origins.includes(origin))
  const answer = {
    ...enginesAnswer({ ...read, project, hosts: [...hosts, ...others] }),
    message: messageOf(hosts, project.tells),
  }
  const { accountId } = project
  const mine = and(eq(projects.id, id), eq(projects.accountId, accountId))
  await ctx.batch(
    {
      project: ctx.db.select({ id: projects.id }).from(projects).where(mine).for('no key update'),
      audit:
        isNew && audit(ctx, { account: accountId, action: 'project.engine_key', on: ['project', id], if: 'always' }),
      key: isNew && ctx.db.update(projects).set({ engineKey: key }).where(mine),
      hosts: hosts.map(keepHost),
      job: project.tells && read.waiting > 0 && tellNow(ctx, { projectId: id, accountId }),
      kept: ctx.keepAnswer(answer)('always'),
    },
    isNew ? undefined : { unaudited: 'a look at a file changes nothing' },
  )
  ctx.defer(ctx.wakeQueue())
  return answer
}
