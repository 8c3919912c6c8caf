import { and, eq, or, sql } from 'drizzle-orm'
import { oneOf } from '../../../schema/columns.ts'
import { integrations } from '../../../schema/integrations.ts'
import { CONNECTED_STATUSES, type PublishingPlatform } from '../../../schema/values/publishing.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { lockProject } from '../../accounts/projects/writes.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { ignoredIn, withIgnored } from '../../platform/http/ignored.ts'
import { seal, sealedAnswer } from '../../platform/lib/crypto.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { refusalOf } from '../../platform/lib/issues.ts'
import { checkPublicUrl, WEB_PORTS } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { claimNextDue } from '../due.ts'
import { eventsUrl } from '../pulls/hook.ts'
import type { ConnectionForm, ConnectionForms, TargetFactory } from '../target/publish-target.ts'
import type { ConnectCmsSiteInput, ConnectIntegrationInput } from './operations.ts'
import { activeTargetOf, nextIntegrationId, targetsOf } from './queries.ts'
import { disconnectTargets, resumePublications } from './writes.ts'

/** A connection. `given` is true if the caller gave its address; otherwise it is the platform's own. */
type Opened = ReturnType<ConnectionForm['connection']> & { given: boolean }

/** Throws 400 with the field's name if the service may not call the address. */
const checkAddress = (ctx: Ctx, { url, urlField }: Pick<Opened, 'url' | 'urlField'>): void => {
  const checked = checkPublicUrl(url, ctx.settings.allowPrivateHosts)
  if ('url' in checked) return
  const message =
    checked.refusal === 'port' ? WEB_PORTS : 'must be a public, absolute http or https address without credentials'
  const details = [{ field: urlField, message }]
  if (checked.refusal === 'not_absolute') throw invalidInput(details)
  throw new ApiError('forbidden_url', `${urlField}: ${message}`, { details })
}

/**
 * Returns the connection that a body describes. `sentAs` maps fields to the older names they were sent under.
 *
 * Throws 400 with the names of missing or wrong fields, as they were sent.
 */
const openForm = (
  ctx: Ctx,
  form: ConnectionForm,
  given: Record<string, unknown>,
  sentAs: Readonly<Record<string, string>> = {},
): Opened => {
  const parsed = form.fields.safeParse(given)
  if (!parsed.success) throw refusalOf(parsed.error.issues, given, sentAs)
  const opened = form.connection(parsed.data)
  checkAddress(ctx, { ...opened, urlField: sentAs[opened.urlField] ?? opened.urlField })
  return { ...opened, given: given[opened.urlField] !== undefined }
}

/** Returns advice for a target that refused, or whose address does not answer (`gone`). */
const whatToDo = (platform: string, gone: boolean, { url, given }: Opened): string => {
  if (!gone)
    return `Nothing was saved. Tell the user what ${platform} said, have it fixed there, then send the same request again.`
  return given
    ? 'Nothing was saved. Ask the user for the address at which the site can be opened in a browser, then send the request with it.'
    : `Nothing was saved. ${url} is the address of ${platform} itself, so nothing in the request needs to be changed: send the same request again in a few minutes.`
}

/**
 * Result of the test of a new connection: its error, or null if the target accepted it. `found`: settings that were read from
 * the target.
 */
type Probed = { warnings: string[]; error: string | null; found?: Record<string, string> }

/** Time limit for a receiver's answer to the test of a new connection, ms. The caller waits for it. */
const PROBE_TIMEOUT_MS = 10_000

/** Returns the warning about a receiver that did not accept the test. It may need the signing secret first. */
const receiverWarning = (id: number, reason: string): string =>
  `The webhook is saved, but the receiver did not accept a test event: ${reason} Install the signing secret there. Try it with POST /integrations/${id}/test.`

/**
 * Tests a connection before it is saved under this id. Returns the warnings and the error.
 *
 * Throws 422 if a CMS refuses. If the test is inconclusive, that is only a warning. So is the refusal of a receiver, because it
 * gets its signing secret only from the answer to this call.
 */
const probe = async (targets: TargetFactory, id: number, platform: string, opened: Opened): Promise<Probed> => {
  const target = targets({ id, platform, url: opened.url, secrets: opened.secrets })
  if (!target) throw new Error(`a form without an adapter: ${platform}`)
  const outcome = await target.probe({ timeoutMs: PROBE_TIMEOUT_MS })
  if (outcome.kind === 'accepted') {
    const { notes = [], found } = outcome
    return { warnings: [...notes], error: null, ...(found ? { found } : {}) }
  }
  const error = outcome.reason
  if (platform === 'webhook') return { warnings: [receiverWarning(id, error)], error }
  if (outcome.kind === 'refused' && (!outcome.retryable || outcome.unreachable)) {
    const gone = outcome.unreachable === true
    throw new ApiError('cms_rejected', gone ? `Nothing answers at ${opened.url}: ${outcome.reason}` : outcome.reason, {
      upstream: {
        name: platform,
        ...(outcome.httpStatus === undefined ? {} : { status: outcome.httpStatus }),
        message: outcome.reason,
      },
      instructions_for_agent: whatToDo(platform, gone, opened),
    })
  }
  const warning = `The connection is saved but could not be tried: ${error} Try it with POST /integrations/${id}/test.`
  return { warnings: [warning], error }
}

type Connecting = {
  platform: PublishingPlatform
  name: string | undefined
  opened: Opened
  /** Error of its test; null if the target accepted it. */
  error: string | null
}

/** Returns the row of a new connection, with sealed secrets, and the answer as it is kept: a webhook's contains its secret. */
const sealedRow = async (
  ctx: Ctx,
  projectId: number,
  { platform, name, opened, error }: Connecting,
  id: number,
  answer: unknown,
) => {
  const account = await ctx.account()
  const { secretsKeys } = ctx.settings
  const now = ctx.now()
  const row = {
    id,
    accountId: account.id,
    projectId,
    platform,
    name: name ?? opened.name,
    url: opened.url,
    sealedSecrets: await seal(secretsKeys, JSON.stringify(opened.secrets), `integration:${id}`),
    lastUsedAt: now,
    lastError: error,
    createdAt: now,
    updatedAt: now,
  }
  return { row, now, kept: await sealedAnswer(secretsKeys, account.id, answer) }
}

/**
 * Saves a connection as the home of the project, in place of the previous one, and returns `answer`, which is kept for repeated
 * calls. A follower at the same place ends: one site has one post of an article.
 */
const save = async <Answer>(
  ctx: Ctx,
  projectId: number,
  connecting: Connecting,
  id: number,
  answer: Answer,
): Promise<Answer> => {
  const { row, now, kept } = await sealedRow(ctx, projectId, connecting, id, answer)
  const { accountId: account, platform, url } = row
  const entry = { action: 'integration.connect', on: ['integration', id], detail: { platform } } as const
  const replaced = and(
    eq(integrations.projectId, projectId),
    or(eq(integrations.status, 'Active'), and(eq(integrations.platform, platform), eq(integrations.url, url))),
  )
  try {
    await ctx.batch({
      disconnectTargets: disconnectTargets(ctx.db, replaced, now),
      integrations: ctx.db.insert(integrations).values(row),
      audit: audit(ctx, { account, ...entry, if: 'always' }),
      resumePublications: resumePublications(ctx.db, row, now),
      kept: ctx.keepAnswer(kept)('always'),
    })
  } catch (error) {
    if (violatedUnique(error) !== 'integrations_active_target_unique') throw error
    throw new ApiError(
      'edit_conflict',
      'Another connection was made for this project at the same moment. Nothing was saved; repeat the call.',
      { retry_after: 1 },
    )
  }
  ctx.defer(claimNextDue(ctx, projectId))
  return answer
}

/** Most followers of a project. */
const MOST_FOLLOWERS = 5

/** Throws 400 if the project has a target at the same place already, or enough followers. */
const checkFollower = (
  targets: readonly { platform: string; url: string; status: string }[],
  platform: string,
  { url, urlField, secrets }: Opened,
): void => {
  const message =
    secrets.mode === 'pull_request'
      ? 'must be commit for a follower, because nobody waits for its pull requests'
      : targets.some((one) => one.platform === platform && one.url === url)
        ? 'is connected to this project already, and one site gets one post of an article'
        : targets.filter(({ status }) => status === 'Following').length >= MOST_FOLLOWERS
          ? `cannot be added: a project has at most ${MOST_FOLLOWERS} followers`
          : undefined
  if (message !== undefined)
    throw invalidInput([{ field: secrets.mode === 'pull_request' ? 'mode' : urlField, message }])
}

/** Saves a connection as a follower and returns `answer`, which is kept for repeated calls. Throws 409 if another was faster. */
const saveFollower = async <Answer>(
  ctx: Ctx,
  projectId: number,
  connecting: Connecting,
  id: number,
  answer: Answer,
): Promise<Answer> => {
  const { row, kept } = await sealedRow(ctx, projectId, connecting, id, answer)
  const { accountId: account, platform, url } = row
  const others = sql`select 1 from ${integrations} where ${eq(integrations.projectId, projectId)}`
  const isFree = sql`not exists (${others} and ${and(oneOf(integrations.status, CONNECTED_STATUSES), eq(integrations.platform, platform), eq(integrations.url, url))})
    and (select count(*) from (${others} and ${eq(integrations.status, 'Following')}) followers) < ${MOST_FOLLOWERS}::int`
  const isMade = sql`exists (select 1 from ${integrations} where ${eq(integrations.id, id)})`
  const entry = {
    action: 'integration.connect',
    on: ['integration', id],
    detail: { platform, as: 'follower' },
  } as const
  const { made } = await ctx.batch({
    project: lockProject(ctx.db, projectId),
    made: insertWhere(integrations, { ...row, status: 'Following' }, { if: isFree }),
    audit: audit(ctx, { account, ...entry, if: isMade }),
    kept: ctx.keepAnswer(kept)(isMade),
  })
  if (made.length > 0) return answer
  throw new ApiError(
    'edit_conflict',
    'Another connection was made for this project at the same moment. Nothing was saved; repeat the call.',
    { retry_after: 1 },
  )
}

/** Returns an id for the new connection, and the connection that it will replace. */
const load = async (ctx: Ctx, projectId: number) => {
  const {
    results: { ids, before },
  } = await readWithProject(ctx, projectId, {
    ids: nextIntegrationId(ctx.db),
    before: activeTargetOf(ctx.db, projectId),
  })
  const [replaced] = before
  return { id: Number(ids.rows[0]?.id), replaced: replaced ? { replaced } : {} }
}

const withWarnings = (warnings: readonly string[]): { warning?: string } =>
  warnings.length > 0 ? { warning: warnings.join(' ') } : {}

const NOT_HTTPS = 'The address is not https: token and articles travel unencrypted.'

/** Fields of an answer that depend on the test of the connection. */
type Told = {
  message: string
  warning?: string
  signing_secret?: string
  events_url?: string
  found?: Record<string, string>
}

/** Returns a connection with the settings that its test found. */
const withFound = (opened: Opened, found: Record<string, string> = {}): Opened => ({
  ...opened,
  secrets: { ...opened.secrets, ...found },
})

/** Returns the answer's fields for a webhook: the signing secret, which is shown only here, and the warnings. */
const webhookAnswer = ({ url, secrets }: Opened, { warnings, error }: Probed): Told => ({
  signing_secret: secrets.signing_secret ?? '',
  message: `Webhook connected${error === null ? '; the receiver accepted a test event' : ''}. Keep signing_secret: it is not shown again.`,
  ...withWarnings([...(url.startsWith('http:') ? [NOT_HTTPS] : []), ...warnings]),
})

/** Returns the answer's fields for a repository: where GitHub may send its events, and the secret that signs them. */
const eventsOf = ({ settings }: Ctx, id: number, { secrets }: Opened) => ({
  events_url: eventsUrl(settings.publicUrl, id),
  signing_secret: secrets.signing_secret ?? '',
})

/** Returns the connection form of a platform. Throws 400 if it has none. */
const formOf = (forms: ConnectionForms, platform: string): ConnectionForm => {
  const form = forms[platform]
  if (form) return form
  throw new ApiError('unsupported_platform', `platform: ${platform} cannot be connected yet.`, {
    details: [{ field: 'platform', message: 'cannot be connected yet', allowed: Object.keys(forms) }],
  })
}

/**
 * Connects a publishing target to a project and replaces its previous one. It is tested first, a webhook with an empty test event.
 *
 * Only this answer contains the signing secret of a webhook or a repository. Throws 400, 404, 403, and 422 if the CMS refuses the
 * credentials.
 */
export const connectIntegration = async (
  ctx: Ctx,
  targets: TargetFactory,
  forms: ConnectionForms,
  projectId: number,
  input: ConnectIntegrationInput,
) => {
  const { platform, name, ...fields } = input
  const form = formOf(forms, platform)
  const opened = openForm(ctx, form, fields)
  const { id, replaced } = await load(ctx, projectId)
  const ignored = ignoredIn(fields, form.fields, 'body')
  const base = withIgnored({ integration_id: id, platform, status: 'connected' as const, ...replaced }, ignored)
  const probed = await probe(targets, id, platform, opened)
  const answer: Told =
    platform === 'webhook'
      ? webhookAnswer(opened, probed)
      : {
          message: 'Connected. Articles of this project are published there from now on.',
          ...(probed.found ? { found: probed.found } : {}),
          ...(platform === 'git' ? eventsOf(ctx, id, opened) : {}),
          ...withWarnings(probed.warnings),
        }
  const connecting = { platform, name, opened: withFound(opened, probed.found), error: probed.error }
  return await save(ctx, projectId, connecting, id, { ...base, ...answer })
}

const FOLLOWS =
  'Connected as a follower. Articles that are published from now on get a copy there, once readers see them at the home. POST /articles/:id/copies sends earlier ones.'

/**
 * Connects a follower: a target that gets a copy of each article of the project. It is tested first. The home stays.
 *
 * Throws 400 also for a place that the project has already, 404, 403, 409, and 422 if the CMS refuses the credentials.
 */
export const connectFollower = async (
  ctx: Ctx,
  targets: TargetFactory,
  forms: ConnectionForms,
  projectId: number,
  input: ConnectIntegrationInput,
) => {
  const { platform, name, ...fields } = input
  const form = formOf(forms, platform)
  const opened = openForm(ctx, form, fields)
  const { results } = await readWithProject(ctx, projectId, {
    ids: nextIntegrationId(ctx.db),
    known: targetsOf(ctx.db, projectId),
  })
  checkFollower(results.known, platform, opened)
  const id = Number(results.ids.rows[0]?.id)
  const probed = await probe(targets, id, platform, opened)
  const base = withIgnored(
    { integration_id: id, platform, status: 'following' as const, message: FOLLOWS },
    ignoredIn(fields, form.fields, 'body'),
  )
  const told =
    platform === 'webhook'
      ? { ...webhookAnswer(opened, probed), message: `${FOLLOWS} Keep signing_secret: it is not shown again.` }
      : { ...(probed.found ? { found: probed.found } : {}), ...withWarnings(probed.warnings) }
  const connecting = { platform, name, opened: withFound(opened, probed.found), error: probed.error }
  return await saveFollower(ctx, projectId, connecting, id, { ...base, ...told })
}

/**
 * Tests a connection without saving it, and returns the settings that were found at the target.
 *
 * Throws 400, 404, 403, and 422 if the CMS refuses.
 */
export const findSettings = async (
  ctx: Ctx,
  targets: TargetFactory,
  forms: ConnectionForms,
  projectId: number,
  { platform, name: _, ...fields }: ConnectIntegrationInput,
): Promise<Record<string, string>> => {
  const form = forms[platform]
  if (!form) return {}
  const opened = openForm(ctx, form, fields)
  const { id } = await load(ctx, projectId)
  return (await probe(targets, id, platform, opened)).found ?? {}
}

/**
 * Connects a WordPress site: by the service's plugin, or with a username by core REST and an application password.
 *
 * Throws 400, 404, 403, and 422 `cms_rejected` with the site's reason. If the test is inconclusive, the answer has a
 * `warning`.
 */
export const connectCmsSite = async (
  ctx: Ctx,
  targets: TargetFactory,
  forms: ConnectionForms,
  projectId: number,
  input: ConnectCmsSiteInput,
) => {
  const username = input.cms_username ?? input.wp_username
  const form = forms.wordpress
  if (!form) throw new Error('no form for wordpress')
  const given = {
    cms_url: input.cms_url ?? input.wordpress_url,
    integration_key: input.integration_key,
    ...(username === undefined ? {} : { cms_username: username }),
  }
  const opened = openForm(ctx, form, given, {
    ...(input.cms_url === undefined ? { cms_url: 'wordpress_url' } : {}),
    ...(input.cms_username === undefined ? { cms_username: 'wp_username' } : {}),
  })
  const { id, replaced } = await load(ctx, projectId)
  const { warnings, error } = await probe(targets, id, 'wordpress', opened)
  return await save(ctx, projectId, { platform: 'wordpress', name: undefined, opened, error }, id, {
    project_id: projectId,
    integration_id: id,
    cms_url: opened.url,
    status: 'connected' as const,
    ...replaced,
    message: `WordPress is connected ${username ? 'with an application password' : 'through the plugin'}. Articles of this project are published there from now on.`,
    ...withWarnings(warnings),
  })
}
