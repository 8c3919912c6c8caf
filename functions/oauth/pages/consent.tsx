import { OAUTH } from '../../../src/oauth/paths.ts'

type Props = {
  service: string
  email: string
  client: { name: string; host: string; isLoopback: boolean; domain?: string | undefined }
  mayAskToWrite: boolean
  handle: string
}

/** Names who asks, where they return to, and for which account; the person decides how much they may do. */
export const ConsentForm = ({ service, email, client, mayAskToWrite, handle }: Props) => (
  <>
    <p>
      <strong>{client.name}</strong> asks to work in your account at {service}.
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
      </dd>
      <dt>Account</dt>
      <dd>{email}</dd>
    </dl>
    <p class="notice">
      Applications name themselves. Go on only if you have just started this yourself and know the address it returns
      to.
    </p>
    <form class="stack" method="post" action={OAUTH.authorize}>
      <input type="hidden" name="handle" value={handle} />
      <fieldset class="stack">
        <legend>It may</legend>
        {mayAskToWrite && (
          <label class="check">
            <input type="radio" name="scope" value="write" checked />
            Read and change: projects, articles, publishing. Publishing is public, and some calls cost credits.
          </label>
        )}
        <label class="check">
          <input type="radio" name="scope" value="read" checked={!mayAskToWrite} />
          Only read
        </label>
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
