import { and, eq } from 'drizzle-orm'
import { connections } from '../../../schema/connections.ts'
import { searchConnections } from '../../../schema/search.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { audit } from '../../platform/db/writes.ts'
import type { Ctx, Deps } from '../../platform/runtime/ctx.ts'
import { accessEnd, sealTokens } from './access.ts'
import { CONNECT_PATH, callbackUrl, GONE, linkOf, personCtx, projectOf, type Reply, siteOf } from './connect-page.ts'
import { propertyWithData } from './fetch.ts'
import { type Attempt, connectUrl, endAttempt } from './link.ts'
import type { Failure, SearchConsole } from './port.ts'
import { filterFor } from './rules.ts'
import { addSource, lockConnection, queueSync, sourceOf } from './source.ts'

/** Parameters that Google adds when it redirects the browser back, and the browser's cookie. */
export type Returned = { code: string; state: string; error: string; cookie: string }

const again = async (deps: Deps, attempt: Attempt, status: 400 | 502, title: string, line: string): Promise<Reply> => {
  const url = new URL(await connectUrl(deps, linkOf(attempt)))
  const link = url.searchParams.get('link') ?? ''
  return {
    status,
    page: {
      title,
      lines: [line, 'Nothing was connected.'],
      form: { action: CONNECT_PATH, button: 'Try again at Google', hidden: { link } },
    },
  }
}

const WRONG_BROWSER: Reply = {
  status: 400,
  page: {
    title: 'This sign-in at Google was not started here',
    lines: [
      'It was started in another browser, was already finished, or took longer than ten minutes. Nothing was connected.',
      'Open the connection link again in this browser.',
    ],
  },
}

const refused = (deps: Deps, attempt: Attempt, failure: Failure): Promise<Reply> => {
  if (failure.kind === 'scope') return again(deps, attempt, 400, 'A box was not ticked', failure.message)
  if (failure.kind === 'revoked')
    return again(deps, attempt, 400, 'Google did not accept the answer', 'It was used already or came too late.')
  return again(deps, attempt, 502, 'Google does not answer as it should', failure.message)
}

const notGranted = (deps: Deps, attempt: Attempt, error: string): Promise<Reply> => {
  const line = error === 'access_denied' ? 'You did not allow it at Google.' : 'Google granted no permission.'
  return again(deps, attempt, 400, 'Not connected', line)
}

/** Returns a page that asks the person to confirm which project the grant is for. Nothing is stored before they confirm. */
export const askToConnect = async (deps: Deps, { code, state, error, cookie }: Returned): Promise<Reply> => {
  const attempt = await endAttempt(deps, cookie, state)
  if (!attempt) return WRONG_BROWSER
  if (code === '') return await notGranted(deps, attempt, error)
  const row = await projectOf(deps, attempt)
  if (!row) return GONE
  return {
    status: 200,
    page: {
      title: 'Connect this site?',
      lines: [
        `Google will let this service read search data with your account. The data is for ${siteOf(row)}, and everybody who works on that site here sees it.`,
        'If you did not ask for this, or do not know the site, close this page. Nothing is connected then.',
      ],
      form: { action: `${CONNECT_PATH}/callback`, button: 'Connect', hidden: { code, state } },
    },
  }
}

type NewConnection = {
  projectId: number
  accountId: number
  connectionId: number
  name: string
  sealedSecrets: string
  /** Part of a property to read; undefined until a person chooses a property. */
  part: { projectId: number; property: string; filteredTo: string } | undefined
  googleSub: string
  properties: string[]
  sealedAccess: string
  accessExpiresAt: Date
  sandbox: boolean
}

/** Replaces the connection of a project. Queues a sync of its history if the property is known. */
const connectSearch = async (ctx: Ctx, { projectId, name, sealedSecrets, part, ...given }: NewConnection) => {
  const now = ctx.now()
  const { accountId, connectionId } = given
  const platform = 'Google Search Console'
  const own = { accountId, projectId, platform } as const
  const state = {
    ...given,
    sourceId: part ? sourceOf(ctx, part) : null,
    failure: null,
    failedAt: null,
    nextSyncAt: now,
    updatedAt: now,
  }
  const detail = { property: part?.property ?? null }
  await ctx.batch({
    connection: lockConnection(ctx, eq(searchConnections.projectId, projectId)),
    changedConnections: ctx.db
      .update(connections)
      .set({ status: 'Disconnected', sealedSecrets: '', updatedAt: now })
      .where(
        and(eq(connections.projectId, projectId), eq(connections.platform, platform), eq(connections.status, 'Active')),
      ),
    connections: ctx.db.insert(connections).values({
      id: connectionId,
      ...own,
      name,
      url: part?.property ?? '',
      sealedSecrets,
      createdAt: now,
      updatedAt: now,
    }),
    addSource: part && addSource(part, 'always'),
    searchConnections: ctx.db
      .insert(searchConnections)
      .values({ projectId, ...state })
      .onConflictDoUpdate({ target: searchConnections.projectId, set: state }),
    queueSync: part && queueSync(accountId, projectId, now, 'always'),
    audit: audit(ctx, {
      account: accountId,
      action: 'search.connect',
      on: ['project', projectId],
      detail,
      if: 'always',
    }),
  })
}

/**
 * Completes a sign-in at Google: exchanges the code, picks the property that covers the website, and connects the project.
 *
 * Only the browser that began the sign-in can complete it, and only for the same project.
 */
export const finishConnecting = async (
  deps: Deps,
  google: SearchConsole,
  { code, state, error, cookie }: Returned,
  defer: (work: Promise<unknown>) => void,
): Promise<Reply> => {
  const attempt = await endAttempt(deps, cookie, state)
  if (!attempt) return WRONG_BROWSER
  if (code === '') return await notGranted(deps, attempt, error)
  const grant = await google.exchange({ code, verifier: attempt.verifier, redirectUri: callbackUrl(deps) })
  if ('failure' in grant) return await refused(deps, attempt, grant.failure)
  const [properties, row] = await Promise.all([google.properties(grant.ok.accessToken), projectOf(deps, attempt)])
  if ('failure' in properties) return await refused(deps, attempt, properties.failure)
  if (!row) return GONE
  const ctx = personCtx(deps, attempt.account, defer)
  const connectionId = Number(row.next_id)
  const { email, sub, expiresIn } = grant.ok
  const property = await propertyWithData(google, grant.ok.accessToken, {
    properties: properties.ok,
    website: row.website_url,
    now: deps.now(),
  })
  const made = {
    connectionId,
    accountId: attempt.account,
    name: email === '' ? 'Google Search Console' : email,
    ...(await sealTokens(ctx, connectionId, grant.ok)),
    googleSub: sub,
    properties: properties.ok.slice(0, 1_000),
    projectId: attempt.project,
    part:
      property === undefined
        ? undefined
        : { projectId: attempt.project, property, filteredTo: filterFor(property, row.website_url) },
    accessExpiresAt: accessEnd(ctx, expiresIn),
    sandbox: google.isSandbox,
  }
  try {
    await connectSearch(ctx, made)
  } catch (failure) {
    if (violatedUnique(failure) !== 'connections_active_unique') throw failure
    return await again(deps, attempt, 400, 'Connected twice at once', 'Another connection was made at the same moment.')
  }
  defer(deps.wakeQueue())
  return { to: await connectUrl(deps, linkOf(attempt)) }
}
