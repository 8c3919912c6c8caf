import { and, eq, exists } from 'drizzle-orm'
import { connections } from '../../../schema/connections.ts'
import { searchConnections } from '../../../schema/search.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import type { Owner } from '../../platform/accounts/parts.ts'
import { type ResultOf, when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { finishJob } from '../../platform/jobs/enqueue.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { type Ctx, sendReading } from '../../platform/runtime/ctx.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import { isLasting, refreshTokenOf, searchApiFor } from './access.ts'
import { syncJob } from './jobs.ts'
import { connectUrl, linkEnd } from './link.ts'
import type { ChoosePropertyInput } from './operations.ts'
import type { SearchConsole } from './port.ts'
import { type Connected, connectionOf, otherUsersOfGrant } from './queries.ts'
import { noConnection, sandboxMark, unavailable } from './refusals.ts'
import { filterFor } from './rules.ts'
import { chooseSource, lockConnection } from './source.ts'

/** A connection with a grant. A property may not be chosen yet. */
type Granted = Connected & { connection_id: number; sealed_secrets: string }

const granted = async (ctx: Ctx, row: Connected | undefined): Promise<Granted> => {
  if (!row) throw new Error('a project without a row')
  if (row.connection_id === null || !row.sealed_secrets) throw await noConnection(ctx, row)
  return row as Granted
}

/** Returns an address at which a person can connect the project. Nothing changes until they do. Throws 404, 403. */
export const startConnecting = async (ctx: Ctx, google: SearchConsole, id: number) => {
  const { results: found } = await readWithProject(ctx, id, connectionOf(ctx.db, id))
  const [row] = found.rows
  if (!row) throw new Error('a project without a row')
  const url = await connectUrl(ctx, { project: id, account: row.account_id })
  return {
    project_id: id,
    connect_url: url,
    expires_at: new Date(linkEnd(ctx)).toISOString(),
    message: google.isConfigured
      ? `A person opens connect_url in a browser within an hour and allows reading Search Console for ${row.website_url}.`
      : 'The operator of this service has not set up Google Search Console, so nothing can be connected yet.',
    instructions_for_agent: `Show the user this address as it is and ask them to open it: ${url} Anyone who opens it can connect this project, so send it to nobody else. When they are done, GET /search-console?project_id=${id} returns data.`,
    ...sandboxMark(google),
  }
}

/**
 * Returns the properties that the Google account may read. Throws 503 if Google does not answer now.
 *
 * If Google refuses until a person acts, it returns the list from the last time.
 */
const propertiesOf = async (ctx: Ctx, google: SearchConsole, row: Granted): Promise<string[]> => {
  const ask = searchApiFor(ctx, google, {
    ...row,
    source_id: row.source_id ?? 0,
    property: row.property ?? '',
    filtered_to: '',
  })
  const found = await ask((token) => google.properties(token))
  if ('ok' in found) return found.ok
  // Google refuses until a person acts: use the list from the last time.
  if (isLasting(found.failure)) return row.properties ?? []
  throw unavailable(found.failure)
}

/** Chooses the property a project reads. Throws 400 with the available properties, 404, 403, 409, 503. */
export const chooseProperty = async (
  ctx: Ctx,
  google: SearchConsole,
  id: number,
  { property: wanted }: ChoosePropertyInput,
) => {
  const { results: found } = await readWithProject(ctx, id, connectionOf(ctx.db, id))
  const row = await granted(ctx, found.rows[0])
  const known = row.properties ?? []
  const properties = known.includes(wanted) ? known : await propertiesOf(ctx, google, row)
  if (!properties.includes(wanted))
    throw invalidInput([
      {
        field: 'property',
        message: 'is not a property that the connected Google account may read',
        allowed: properties.slice(0, 100),
      },
    ])
  const answer = {
    project_id: id,
    property: wanted,
    properties,
    message: 'Search performance is read from this property from now on. Its history is fetched in the background.',
    ...sandboxMark(google),
  }
  const choice = {
    projectId: id,
    accountId: row.account_id,
    connectionId: row.connection_id,
    property: wanted,
    filteredTo: filterFor(wanted, row.website_url),
    properties,
  }
  if (!(await chooseSource(ctx, choice, answer)))
    throw new ApiError(
      'edit_conflict',
      'The project was connected again at the same moment. Nothing was changed; repeat the call.',
      {
        retry_after: 1,
      },
    )
  ctx.defer(ctx.wakeQueue())
  return answer
}

const OTHERS =
  'The access at Google stays, since other projects or a business profile use the same Google account. It can be withdrawn as a whole at https://myaccount.google.com/connections.'
const LEFT =
  'Google did not confirm that the access is withdrawn. It is deleted here; withdraw it yourself at https://myaccount.google.com/connections.'

/** Deletes the connection of a project and its secrets; the history stays. Returns false if there was no connection. */
const disconnectSearch = async (ctx: Ctx, projectId: number, accountId: number): Promise<boolean> => {
  const now = ctx.now()
  const isOf = eq(searchConnections.projectId, projectId)
  const isConnected = exists(ctx.db.select({ id: searchConnections.projectId }).from(searchConnections).where(isOf))
  const { held } = await ctx.batch({
    ...when(isOf, {
      held: (isMet) => lockConnection(ctx, isMet),
      changedConnections: (isMet) =>
        ctx.db
          .update(connections)
          .set({ status: 'Disconnected', sealedSecrets: '', updatedAt: now })
          .from(searchConnections)
          .where(and(isMet, eq(connections.id, searchConnections.connectionId))),
    }),
    ...when(isConnected, {
      endedSyncJob: finishJob(ctx.db, syncJob, projectId, { now }),
      audit: audit(ctx, { account: accountId, action: 'search.disconnect', on: ['project', projectId] }),
    }),
    deletedSearchConnections: ctx.db.delete(searchConnections).where(isOf),
  })
  return held.length > 0
}

const grantOf = (ctx: Ctx, id: number) => ({ found: connectionOf(ctx.db, id), others: otherUsersOfGrant(ctx.db, id) })

const endGrant = async (
  ctx: Ctx,
  google: SearchConsole,
  id: number,
  { found, others }: ResultOf<ReturnType<typeof grantOf>>,
) => {
  const row = await granted(ctx, found.rows[0])
  const isShared = Number(others.rows[0]?.count ?? 0) > 0
  const token = await refreshTokenOf(ctx, row)
  if (!(await disconnectSearch(ctx, id, row.account_id))) throw await noConnection(ctx, row)
  const revoked = isShared ? undefined : await google.revoke(token)
  const isRevoked = revoked !== undefined && 'ok' in revoked
  return {
    project_id: id,
    disconnected: true as const,
    revoked: isRevoked,
    message: `Google Search Console is disconnected and its tokens are deleted. ${isRevoked ? 'The access was withdrawn at Google.' : isShared ? OTHERS : LEFT}`,
    ...sandboxMark(google),
  }
}

/**
 * Disconnects a project and withdraws the access at Google. Throws 404, 403.
 *
 * The access stays if another project or a business profile uses the same Google account, because Google would end that too.
 */
export const disconnect = async (ctx: Ctx, google: SearchConsole, id: number) => {
  const { results } = await readWithProject(ctx, id, grantOf(ctx, id))
  return await endGrant(ctx, google, id, results)
}

/** Disconnects every project of the owner and withdraws the access at Google. Failures are logged. */
export const disconnectAll = async (ctx: Ctx, google: SearchConsole, { account, project }: Owner): Promise<void> => {
  const isOf = eq(searchConnections.accountId, account)
  const rows = await ctx.db
    .select({ projectId: searchConnections.projectId })
    .from(searchConnections)
    .where(project === undefined ? isOf : and(isOf, eq(searchConnections.projectId, project)))
    .limit(1_000)
  const end = async (id: number) => await endGrant(ctx, google, id, await sendReading(ctx.db, grantOf(ctx, id)))
  for (const { projectId } of rows)
    await end(projectId).catch((error: unknown) =>
      ctx.log('warn', 'search.not_disconnected', { project: projectId, ...errorFields(error) }),
    )
}
