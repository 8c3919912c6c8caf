import { AuthorizationError, authorizationErrorRedirect, CimdFetchError } from '@cloudflare/workers-oauth-provider'
import type { Hono } from 'hono'
import { GRANT_SCOPES, type GrantScope } from '../../../schema/values/accounts.ts'
import {
  type AuthRequest,
  applicationsOf,
  askConsent,
  consumeConsent,
  endApplication,
  grantAccess,
} from '../../accounts/oauth/grants.ts'
import { OAUTH } from '../../accounts/oauth/paths.ts'
import {
  clientName,
  givenTwice,
  isPrivateUse,
  isUnsafeRedirect,
  redirectTarget,
  withCanonicalResource,
} from '../../accounts/oauth/requests.ts'
import type { OAuth } from '../../accounts/oauth/server.ts'
import { scopeLabel } from '../../accounts/people/keys.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { accountsFor, type Person } from '../../accounts/people/person.ts'
import { includesScope } from '../../platform/accounts/scopes.ts'
import { askToConfirm } from '../confirm.tsx'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Empty, Moment, Table } from '../parts.tsx'

type Props = {
  service: string
  person: Pick<Person, 'accountId' | 'email' | 'role'>
  /** Name of the person's current account. */
  account: string
  client: { name: string; host: string; isLoopback: boolean; isByScheme: boolean; domain?: string | undefined }
  /** Scopes to choose from. */
  offered: readonly GrantScope[]
  handle: string
}

/** Scopes with their descriptions. The first is the default. */
const CHOICES: readonly (readonly [GrantScope, string])[] = [
  ['draft', 'Read and draft: articles, images, drafts of posts. It publishes, plans and spends nothing.'],
  ['write', 'Read and change: sites, articles, publishing. Publishing is public, and some calls cost credits.'],
  ['read', 'Only read'],
]

/** Renders the application, its return address and the account. The person chooses the scope. */
const ConsentForm = ({ service, person, account, client, offered, handle }: Props) => (
  <>
    <p>
      <strong>{client.name}</strong> asks to work in the account {account} at {service}.
    </p>
    <dl>
      <dt>Application</dt>
      <dd>{client.name}</dd>
      {client.domain && <dt>Described at</dt>}
      {client.domain && <dd>{client.domain}</dd>}
      <dt>Returns to</dt>
      <dd>
        {client.host}
        {client.isLoopback && ' (a program on your own machine)'}
        {client.isByScheme && ' (an application on your own device that opens such links)'}
      </dd>
      <dt>Account</dt>
      <dd>{account}</dd>
      <dt>You are</dt>
      <dd>
        {person.email}, {person.role} of this account
      </dd>
    </dl>
    <p class="hint">
      For another account, change to it in <a href={PATHS.settings}>Settings</a> first, then start again from the
      application.
    </p>
    <p class="notice">
      Applications name themselves. Go on only if you have just started this yourself and know the address it returns
      to.
    </p>
    <form class="stack" method="post" action={OAUTH.authorize}>
      <input type="hidden" name="handle" value={handle} />
      <fieldset class="stack">
        <legend>It may</legend>
        {CHOICES.filter(([scope]) => offered.includes(scope)).map(([scope, label], n) => (
          <label class="check">
            <input type="radio" name="scope" value={scope} checked={n === 0} />
            {label}
          </label>
        ))}
      </fieldset>
      <div class="row">
        <button type="submit" name="decision" value="allow">
          Allow
        </button>
        <button class="plain" type="submit" name="decision" value="deny">
          Refuse
        </button>
      </div>
    </form>
    <p class="hint">You can end this at any time in Settings, Connected applications.</p>
  </>
)

/** Dependencies of the consent pages. */
export type OAuthFront = Front & { oauth: OAuth }

/**
 * True if the text is a PKCE challenge of method S256. Every application must send one, also one with a secret (OAuth
 * 2.1, 4.1.1).
 */
const isChallenge = (given: string | undefined): boolean => /^[\w-]{43}$/.test(given ?? '')

const NO_CHALLENGE = 'code_challenge is required, as S256 makes it: 43 characters'

/** Returns the scopes that the person can choose from: those within the requested scope; all if none was requested. */
const offeredScopes = ({ scope }: AuthRequest): GrantScope[] =>
  GRANT_SCOPES.filter((one) => scope.length === 0 || includesScope(scope, one))

const OTHER_ACCOUNT = {
  notice: { tone: 'bad', text: 'You changed to another account since you were asked. Look at it and decide again.' },
  status: 409,
} as const

/** Returns the refusal of an authorization request: a redirect to the application if its address is known, else a page. */
const refused = (c: PagesContext, front: OAuthFront, error: unknown): Response | Promise<Response> => {
  if (error instanceof AuthorizationError && error.redirectTo !== undefined) return c.redirect(error.redirectTo, 302)
  if (error instanceof AuthorizationError)
    return show(c, front, {
      title: 'This request cannot be accepted',
      status: 400,
      body: (
        <p>{error.description}. Start again from the application; if this happens again, its makers must fix it.</p>
      ),
    })
  if (error instanceof CimdFetchError)
    return show(c, front, {
      title: 'The application could not be looked up',
      status: 400,
      body: (
        <>
          <p>
            The application describes itself at an address that did not answer as it should. Try again; if this happens
            again, its makers must fix it.
          </p>
          <dl>
            <dt>Address</dt>
            <dd>{error.metadataUrl}</dd>
            <dt>What is wrong</dt>
            <dd>{error.detail}</dd>
          </dl>
        </>
      ),
    })
  throw error
}

/** Returns the refusal of a return address to which codes are never sent. */
const unsafe = (c: PagesContext, front: OAuthFront) =>
  show(c, front, {
    title: 'This request cannot be accepted',
    status: 400,
    body: <p>The application returns to an address of a kind that is not safe. Its makers must fix it.</p>,
  })

/** Adds the page on which a person grants an application access. */
export const consentPages = (app: Hono<PagesEnv>, front: OAuthFront): void => {
  const { deps, oauth } = front
  const { db, now, settings } = deps
  const described = async (request: AuthRequest) => {
    const consent = await oauth.api.describeConsent(request)
    return { ...consent, clientName: clientName(consent.clientName) || clientName(consent.clientId) }
  }

  /** Asks the person whether the application may use their current account. */
  const ask = async (c: PagesContext, request: AuthRequest, shown: { notice?: Notice; status?: 409 } = {}) => {
    const person = c.get('person')
    const { id, accountId } = person
    const [consent, accounts] = await Promise.all([described(request), accountsFor(db, id)])
    return await show(c, front, {
      title: 'Let an application in?',
      formTarget: redirectTarget(request.redirectUri).origin,
      ...shown,
      body: (
        <ConsentForm
          service={settings.serviceName}
          person={person}
          account={accounts.find((one) => one.id === accountId)?.called ?? person.email}
          client={{
            name: consent.clientName,
            host: redirectTarget(request.redirectUri).shown,
            isLoopback: consent.redirectIsLoopback,
            isByScheme: isPrivateUse(request.redirectUri),
            domain: consent.clientDomain,
          }}
          offered={offeredScopes(request)}
          handle={await askConsent(db, id, { request, accountId }, now())}
        />
      ),
    })
  }

  app.get(OAUTH.authorize, signedIn(front), async (c) => {
    const twice = givenTwice(new URL(c.req.url).searchParams)
    if (twice !== undefined)
      return show(c, front, {
        title: 'This request cannot be accepted',
        status: 400,
        body: (
          <p>
            {twice} is sent more than once. Start again from the application; if this happens again, its makers must fix
            it.
          </p>
        ),
      })
    try {
      const url = new URL(c.req.url)
      withCanonicalResource(oauth.resource, url.searchParams)
      if (isUnsafeRedirect(url.searchParams.get('redirect_uri') ?? '')) return unsafe(c, front)
      const request = await oauth.api.parseAuthRequest(new Request(url, c.req.raw))
      if (isUnsafeRedirect(request.redirectUri)) return unsafe(c, front)
      if (!isChallenge(request.codeChallenge))
        return c.redirect(authorizationErrorRedirect(request, 'invalid_request', NO_CHALLENGE), 302)
      return await ask(c, request)
    } catch (error) {
      return await refused(c, front, error)
    }
  })

  app.post(OAUTH.authorize, signedIn(front), async (c) => {
    const { handle = '', decision, scope } = await formOf(c)
    const person = c.get('person')
    const asked = await consumeConsent(db, person.id, handle, now())
    if (!asked)
      return show(c, front, {
        title: 'Too late',
        status: 400,
        body: <p>This question was answered before, or it is too old. Start again from the application.</p>,
      })
    const { request, accountId } = asked
    if (decision !== 'allow') return c.redirect(authorizationErrorRedirect(request, 'access_denied'), 302)
    try {
      if (accountId !== person.accountId) return await ask(c, request, OTHER_ACCOUNT)
      const consent = await described(request)
      const client = {
        id: request.clientId,
        name: consent.clientName,
        redirectHost: redirectTarget(request.redirectUri).shown,
      }
      const chosen = offeredScopes(request).find((one) => one === scope) ?? 'read'
      return c.redirect(await grantAccess({ oauth, db, now }, request, { person, client, scope: chosen }), 302)
    } catch (error) {
      return await refused(c, front, error)
    }
  })
}

const page = async (c: PagesContext, front: OAuthFront, notice?: Notice, status: 200 | 404 = 200) => {
  const { deps } = front
  const applications = await applicationsOf(deps.db, c.get('person').accountId, deps.now())
  return await show(c, front, {
    title: 'Connected applications',
    menu: true,
    status,
    notice,
    body: (
      <>
        <p>
          Agents connect to <code>{deps.settings.publicUrl}/mcp</code> and ask for access. Those that have it are listed
          here. Ending one refuses its next call.
        </p>
        {applications.length === 0 ? (
          <Empty>No application is connected.</Empty>
        ) : (
          <Table
            caption="Applications with access, newest first"
            heads={['Application', 'Returns to', 'May', 'Since', 'Last used', '']}
            rows={applications.map((one) => [
              one.name,
              one.host,
              scopeLabel(one.scopes),
              <Moment at={one.createdAt} />,
              <Moment at={one.lastUsedAt} />,
              <ActionButton
                action={`${PATHS.applications}/end`}
                label="End"
                name={one.name}
                fields={{ grant: one.grantId }}
                danger
              />,
            ])}
          />
        )}
      </>
    ),
  })
}

/** Adds the page of applications that have access by OAuth. */
export const applicationPages = (app: Hono<PagesEnv>, front: OAuthFront): void => {
  const { db, now } = front.deps
  app.get(PATHS.applications, signedIn(front), (c) => page(c, front))
  app.post(`${PATHS.applications}/end`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const { grant = '' } = fields
    const asking = await askToConfirm(c, front, fields, () => ({
      title: 'End this application?',
      body: <p>Its next call is refused. It can ask for access again.</p>,
      label: 'End the application',
      back: PATHS.applications,
    }))
    if (asking) return asking
    const done = await endApplication({ oauth: front.oauth, db, now }, c.get('person').accountId, grant)
    return done
      ? await backTo(c, front, PATHS.applications, {
          tone: 'good',
          text: 'The application has no access any more. Its next call is refused.',
        })
      : await page(c, front, { tone: 'bad', text: 'There is no such application.' }, 404)
  })
}
