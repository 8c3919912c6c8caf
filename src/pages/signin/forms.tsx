import { hasMadeNothing, type MadeByPerson } from '../../accounts/people/made.ts'
import { PASSWORD } from '../../accounts/people/password.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import type { Legal } from '../../platform/runtime/legal.ts'
import { Acceptance } from '../legal.tsx'
import { ActionButton, Field, Moment, Table } from '../parts.tsx'

const withNext = (path: string, next: string | undefined): string =>
  next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`

const Next = ({ next }: { next: string | undefined }) =>
  next === undefined ? null : <input type="hidden" name="next" value={next} />

/** Errors of a form's fields. */
export type Wrong = { email?: string; password?: string }

const Email = ({ value = '', error }: { value?: string | undefined; error?: string | undefined }) => (
  <Field
    type="email"
    name="email"
    label="E-mail address"
    value={value}
    error={error}
    autocomplete="email"
    required
    maxlength={254}
  />
)

const Password = ({ isNew = false, error }: { isNew?: boolean; error?: string | undefined }) => (
  <Field
    type="password"
    name="password"
    label="Password"
    hint={isNew ? `At least ${PASSWORD.least} characters` : undefined}
    error={error}
    autocomplete={isNew ? 'new-password' : 'current-password'}
    required
    minlength={isNew ? PASSWORD.least : 1}
    maxlength={PASSWORD.most}
  />
)

type Given = { next?: string | undefined; email?: string | undefined; wrong?: Wrong | undefined }

/** Renders the form to sign in, with links to the other ways. `next`: the path to return to. */
export const SignInForm = ({ next, email, wrong = {} }: Given) => (
  <>
    <form class="stack" method="post" action={PATHS.signIn}>
      <Next next={next} />
      <Email value={email} error={wrong.email} />
      <Password error={wrong.password} />
      <button type="submit">Sign in</button>
    </form>
    <p>
      <a href={withNext(PATHS.link, next)}>Sign in with a link by mail</a>
    </p>
    <p>
      <a href={withNext(PATHS.passkey, next)}>Sign in with a passkey</a>
    </p>
    <p>
      <a href={PATHS.reset}>Forgot the password?</a>
    </p>
    <p>
      New here? <a href={withNext(PATHS.signUp, next)}>Create an account</a>
    </p>
  </>
)

/** Renders the form that opens an account. A mail leads to the page for the password. */
export const SignUpForm = ({ next, email, wrong = {}, legal }: Given & { legal: Legal }) => (
  <>
    <form class="stack" method="post" action={PATHS.signUp}>
      <Next next={next} />
      <Email value={email} error={wrong.email} />
      <button type="submit">Create account</button>
    </form>
    <p class="hint">You choose a password on the page that a mail leads you to.</p>
    <Acceptance legal={legal} />
    <p>
      Already here? <a href={withNext(PATHS.signIn, next)}>Sign in</a>
    </p>
  </>
)

/** Renders a form that asks for an email address, to which a mail is sent. */
export const MailForm = ({ action, label, next, email, wrong = {} }: Given & { action: string; label: string }) => (
  <form class="stack" method="post" action={action}>
    <Next next={next} />
    <Email value={email} error={wrong.email} />
    <button type="submit">{label}</button>
  </form>
)

/** Renders the form behind a mailed link. Only its button uses the link, because mail programs may open links. */
export const TokenForm = ({ action, label, token, next }: Given & { action: string; label: string; token: string }) => (
  <form class="stack" method="post" action={action}>
    <Next next={next} />
    <input type="hidden" name="token" value={token} />
    <button type="submit">{label}</button>
  </form>
)

type NewPassword = {
  action: string
  label: string
  token: string
  next: string | undefined
  /** Address that the link was mailed to. */
  email: string | undefined
  error?: string | undefined
}

/**
 * Renders the form behind the mail of a sign-up or a password reset. Its button confirms the address and stores the
 * password.
 */
export const NewPasswordForm = ({ action, label, token, next, email, error }: NewPassword) => (
  <form class="stack" method="post" action={action}>
    {email !== undefined && (
      <p>
        For <strong>{email}</strong>
      </p>
    )}
    <Next next={next} />
    <input type="hidden" name="token" value={token} />
    <Password isNew error={error} />
    <button type="submit">{label}</button>
  </form>
)

/** Renders the person's keys, applications and invitations, which a new password does not end. One button ends them all. */
export const AfterNewPassword = ({ theirs, next = PATHS.home }: { theirs: MadeByPerson; next: string | undefined }) => (
  <>
    {!hasMadeNothing(theirs) && (
      <>
        <p>
          These keys, applications and invitations are yours and still work. If somebody else may have used your
          account, end them all.
        </p>
        <Table
          caption="What you made, newest first"
          heads={['What', 'Name', 'Account', 'Last used']}
          rows={[
            ...theirs.keys.map(({ name, lastFour, accountId, application, lastUsedAt }) => [
              application === null ? 'Key' : 'Application',
              application ?? `${name}, …${lastFour}`,
              String(accountId),
              <Moment at={lastUsedAt} />,
            ]),
            ...theirs.invited.map(({ email, role, accountId }) => [
              'Invitation',
              `${email}, as ${role}`,
              String(accountId),
              '',
            ]),
          ]}
        />
        <ActionButton action={PATHS.endTheirs} label="End them all" name="" fields={{}} danger />
      </>
    )}
    <p>
      <a class="button" href={next}>
        Go on
      </a>
    </p>
  </>
)
