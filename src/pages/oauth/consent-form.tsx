import type { GrantScope } from '../../../schema/values/accounts.ts'
import { OAUTH } from '../../accounts/oauth/paths.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import type { Person } from '../../accounts/people/person.ts'

type Props = {
  service: string
  person: Pick<Person, 'accountId' | 'email' | 'role'>
  /** Name of the account they work in. */
  account: string
  client: { name: string; host: string; isLoopback: boolean; isByScheme: boolean; domain?: string | undefined }
  /** The scopes to choose from. */
  offered: readonly GrantScope[]
  handle: string
}

/** Scopes with what each lets an application do, the one to begin with first. */
const CHOICES: readonly (readonly [GrantScope, string])[] = [
  ['draft', 'Read and draft: articles, images, drafts of posts. It publishes, plans and spends nothing.'],
  ['write', 'Read and change: sites, articles, publishing. Publishing is public, and some calls cost credits.'],
  ['read', 'Only read'],
]

/** Names who asks, where they return to, and for which account; the person decides how much they may do. */
export const ConsentForm = ({ service, person, account, client, offered, handle }: Props) => (
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
