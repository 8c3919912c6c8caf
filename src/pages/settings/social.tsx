import type { Hono } from 'hono'
import { SOCIAL_PLATFORMS, type SocialPlatform } from '../../../schema/values/social.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { getProject, listProjects } from '../../accounts/projects/read.ts'
import { ApiError, type FieldError } from '../../platform/lib/errors.ts'
import type { BusinessConsent } from '../../reach/profile/port.ts'
import { accountsOf, disconnectAccount, type Reachable } from '../../reach/social/accounts.ts'
import { connectAccount } from '../../reach/social/connect.ts'
import { ConnectAccount } from '../../reach/social/operations.ts'
import type { Social } from '../../reach/social/port.ts'
import { NETWORKS, networkOf } from '../../reach/social/rules.ts'
import { askToConfirm } from '../confirm.tsx'
import { ctxOf, idIn } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { Later, showWithLater } from '../later.tsx'
import { labelOf } from '../menu.ts'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Empty, Field, Pill, Select, Table, wrongWith } from '../parts.tsx'
import { refusalOf } from './integrations.tsx'

/** Reasons by error code of the social provider. Its own text is not shown, because anyone can put text into a link. */
const REASONS: Readonly<Record<string, string>> = {
  oauth_denied: 'the permission was not given there.',
  connection_cancelled: 'it was cancelled there.',
  missing_google_permissions: 'a permission was not ticked. Connect again, and allow all that is asked for.',
  missing_tiktok_permissions: 'a permission was not ticked. Connect again, and allow all that is asked for.',
  personal_account_not_supported: 'it accepts business and creator accounts only.',
  platform_requires_destination: 'a page or channel to post to has to be chosen there.',
  reconnect_account_mismatch: 'another account was signed in there than the one to be connected again.',
  no_facebook_pages: 'the account there manages no page.',
  no_google_locations: 'the account there manages no location.',
  google_permission_denied: 'the account there may not manage the location.',
  no_snapchat_public_profiles: 'the account there has no public profile.',
  discord_no_guild: 'the account there manages no server.',
}

/** Error codes for limits of this service's own account at the provider. */
const LIMITS = new Set(['account_limit_exceeded', 'profile_limit_exceeded', 'payment_required', 'byok_config_error'])

/**
 * Returns the notice for a person who returns from a network without a connected account; undefined without an error.
 *
 * The social provider appends `error` and `platform` to the address. It may add new codes at any time.
 */
const notConnected = (error: string | undefined, platform = ''): Notice | undefined => {
  if (error === undefined) return undefined
  const network = networkOf(platform)
  const begin = `${network ? NETWORKS[network].name : 'The account'} was not connected`
  if (LIMITS.has(error))
    return {
      tone: 'bad',
      text: `${begin}: this service has reached a limit at its social provider. Its operator has to fix that.`,
    }
  const code = /^\w{1,60}$/.test(error) ? ` (${error})` : ''
  const reason = Object.hasOwn(REASONS, error)
    ? `: ${REASONS[error]}`
    : `${code}. Try again, and tell the operator of this service if it stays.`
  return { tone: 'bad', text: `${begin}${reason}` }
}

/** Dependencies of the pages for social accounts. */
export type SocialFront = Front & { social: Social; consent: BusinessConsent }

/** Networks that are connected here by credentials, with their fields. */
const DIRECT = {
  bluesky: [
    { name: 'identifier', label: 'Handle', hint: 'For example me.bsky.social' },
    { name: 'app_password', label: 'App password', hint: 'Settings, Privacy and security, App passwords' },
    { name: 'service_url', label: 'Server (optional)', hint: 'Only if it is not bsky.social' },
  ],
  telegram: [
    {
      name: 'bot_token',
      label: 'Bot token',
      hint: 'As BotFather gives it; the bot must be an administrator of the channel',
    },
    { name: 'chat_id', label: 'Channel', hint: '@name of the channel, or its number' },
  ],
} as const
type Direct = keyof typeof DIRECT
const SECRETS: readonly string[] = ['app_password', 'bot_token']

type Shown = {
  notice?: Notice | undefined
  status?: 200 | 400 | 409 | 422 | 429 | 503
  /** Address at the network to which the person continues. */
  continueAt?: { name: string; url: string }
  /** Submitted form, with its errors. */
  sent?: Record<string, string>
  errors?: readonly FieldError[]
}

const DirectForm = ({ platform, project, sent = {}, errors = [] }: { platform: Direct; project: number } & Shown) => (
  <details open={sent.platform === platform}>
    <summary>{NETWORKS[platform].name}</summary>
    <form class="stack narrow" method="post" action={PATHS.social}>
      <input type="hidden" name="project_id" value={String(project)} />
      <input type="hidden" name="platform" value={platform} />
      {DIRECT[platform].map(({ name, label, hint }) => (
        <Field
          name={name}
          label={label}
          hint={hint}
          type={SECRETS.includes(name) ? 'password' : 'text'}
          value={SECRETS.includes(name) ? undefined : sent.platform === platform ? sent[name] : undefined}
          error={sent.platform === platform ? wrongWith(errors, name) : undefined}
          required={name !== 'service_url'}
        />
      ))}
      <button type="submit">Connect {NETWORKS[platform].name}</button>
    </form>
  </details>
)

type ConnectedProps = { project: number; accounts: readonly Reachable[] }

const Connected = ({ project, accounts }: ConnectedProps) =>
  accounts.length === 0 ? (
    <Empty>No account is connected yet.</Empty>
  ) : (
    <Table
      caption="Connected accounts"
      heads={['Network', 'Name', 'State', '']}
      rows={accounts.map((one) => [
        NETWORKS[one.platform].name,
        one.username || one.name,
        one.usable ? (
          <Pill tone="good" shape="●">
            Connected
          </Pill>
        ) : (
          <Pill tone="warn" shape="?">
            Not connected
          </Pill>
        ),
        one.route === 'direct' ? (
          <ActionButton
            action={`${PATHS.social}/disconnect`}
            label="Disconnect"
            name={one.username || one.name}
            fields={{ project_id: String(project), id: one.id.replace('acc_', '') }}
            danger
          />
        ) : (
          <span class="hint">{one.usable ? 'Disconnect it at the network' : 'Connect it again above'}</span>
        ),
      ])}
    />
  )
/**
 * Shows a project's social accounts. The accounts come last, because the provider checks whether they work.
 *
 * Throws `not_found` or `forbidden` for a project that is not the account's.
 */
export const socialPage = async (c: PagesContext, front: SocialFront, project: number, shown: Shown = {}) => {
  const { notice, status = 200, continueAt } = shown
  const accounts = accountsOf(ctxOf(c, front), front.social, project)
  // A missing project is refused first. An error of the provider is shown in the part that comes later.
  accounts.catch(() => {})
  const site = await getProject(ctxOf(c, front), project)
  const networks = SOCIAL_PLATFORMS.map((name) => [name, NETWORKS[name].name] as const)
  const part = accounts.then((found) => <Connected project={project} accounts={found} />)
  const later = { zone: site.timezone, who: 'The networks', again: pageOf(project), part }
  return await showWithLater(c, front, later, {
    title: 'Social accounts',
    menu: true,
    site: project,
    status,
    notice,
    // The form that connects a business profile redirects to Google.
    ...(front.consent.isConfigured ? { formTarget: front.consent.origin } : {}),
    body: (
      <>
        <p>
          Where posts of {labelOf(site)} go out.{' '}
          {(await c.get('sites')).length > 1 && <a href={PATHS.social}>Another site</a>}
        </p>
        {continueAt && (
          <p class="notice">
            <a href={continueAt.url} rel="noreferrer">
              Go on to {continueAt.name}
            </a>
            , sign in there and allow posting. You come back to this page.
          </p>
        )}
        {front.social.provider && (
          <>
            <h2>Connect at a network</h2>
            <form class="stack narrow" method="post" action={PATHS.social}>
              <input type="hidden" name="project_id" value={String(project)} />
              <Select
                name="platform"
                label="Network"
                options={networks}
                chosen={shown.sent?.platform}
                error={wrongWith(shown.errors ?? [], 'platform')}
              />
              <button type="submit">Continue</button>
            </form>
          </>
        )}
        {front.consent.isConfigured && (
          <>
            <h2>Connect a business profile at Google</h2>
            {front.consent.isSandbox && (
              <p class="notice">This is a sandbox: Google is not called, and no profile of yours is changed.</p>
            )}
            <form class="stack narrow" method="post" action={`${PATHS.social}/google`}>
              <input type="hidden" name="project_id" value={String(project)} />
              <p class="hint">
                Reviews, replies, posts and numbers are then read and written with Google's own API. Google approves the
                operator of a service for it first, which takes weeks; until then a connected profile answers nothing.
              </p>
              <button type="submit">Go on to Google</button>
            </form>
          </>
        )}
        <h2>Connect with credentials</h2>
        <DirectForm platform="bluesky" project={project} {...shown} />
        <DirectForm platform="telegram" project={project} {...shown} />
        <Later>Asking the networks whether the accounts still work…</Later>
      </>
    ),
  })
}

const chooser = async (c: PagesContext, front: SocialFront) => {
  const { rows } = await listProjects(ctxOf(c, front), {})
  const [only] = rows
  if (only && rows.length === 1) return c.redirect(pageOf(only.id), 303)
  return await show(c, front, {
    title: 'Social accounts',
    menu: true,
    body:
      rows.length === 0 ? (
        <Empty>There is no site to connect accounts to yet.</Empty>
      ) : (
        <form class="stack narrow" method="get" action={PATHS.social}>
          <Select name="project_id" label="Site" options={rows.map((one) => [String(one.id), labelOf(one)] as const)} />
          <button type="submit">Show its accounts</button>
        </form>
      ),
  })
}

const connect = async (c: PagesContext, front: SocialFront, project: number, sent: Record<string, string>) => {
  const { project_id: _, platform = '', ...given } = sent
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ''))
  const parsed = ConnectAccount.safeParse({ project_id: project, platform, ...filled })
  if (!parsed.success)
    return await socialPage(c, front, project, {
      sent,
      errors: [{ field: 'platform', message: 'choose a network' }],
      status: 400,
      notice: { tone: 'bad', text: 'Nothing was saved. Choose a network.' },
    })
  try {
    const made = await connectAccount(ctxOf(c, front), front.social, parsed.data)
    if ('connect_url' in made)
      return await socialPage(c, front, project, {
        continueAt: { name: NETWORKS[parsed.data.platform as SocialPlatform].name, url: made.connect_url },
      })
    return await backTo(c, front, pageOf(project), { tone: 'good', text: made.message })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'not_found' || error.code === 'forbidden') throw error
    const errors = error.extras.details ?? []
    const text = errors.length > 0 ? 'Nothing was saved. See the marked fields.' : `Nothing was saved: ${error.message}`
    const status = error.code === 'social_account_rejected' ? 422 : 400
    return await socialPage(c, front, project, { sent, errors, status, notice: { tone: 'bad', text } })
  }
}

const pageOf = (project: number): string => `${PATHS.social}?project_id=${project}`

const TRIES = { name: 'people.connect_social', perMinute: 10 }

/** Adds the pages of a project's social accounts. Networks send people back here. */
export const socialPages = (app: Hono<PagesEnv>, front: SocialFront): void => {
  app.get(PATHS.social, signedIn(front), (c) => {
    const project = idIn(c.req.query('project_id'))
    const notice = notConnected(c.req.query('error'), c.req.query('platform'))
    return refusalOf(c, front, async () =>
      project === 0 ? await chooser(c, front) : await socialPage(c, front, project, { notice }),
    )
  })
  app.post(PATHS.social, signedIn(front), async (c) => {
    const sent = await formOf(c)
    const project = idIn(sent.project_id)
    return await refusalOf(c, front, async () => {
      const { allowed } = await front.deps.limiter.take(TRIES, String(c.get('person').accountId))
      const notice: Notice = { tone: 'bad', text: 'Too many tries. Wait a minute.' }
      return allowed
        ? await connect(c, front, project, sent)
        : await socialPage(c, front, project, { sent, notice, status: 429 })
    })
  })
  app.post(`${PATHS.social}/disconnect`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const { id, project_id: project } = fields
    return await refusalOf(c, front, async () => {
      const accounts = await accountsOf(ctxOf(c, front), front.social, idIn(project))
      const account = accounts.find((one) => one.id === `acc_${idIn(id)}`)
      const asking =
        account &&
        (await askToConfirm(c, front, fields, () => ({
          title: `Disconnect ${account.username || account.name}?`,
          body: <p>Nothing more is posted there. What was posted stays, and the saved password or token is deleted.</p>,
          label: 'Disconnect',
          back: pageOf(idIn(project)),
        })))
      if (asking) return asking
      const { message } = await disconnectAccount(ctxOf(c, front), front.social, idIn(id))
      return await backTo(c, front, pageOf(idIn(project)), { tone: 'good', text: message })
    })
  })
}
