import { PATHS } from '../../../src/people/paths.ts'

const withNext = (path: string, next: string | undefined): string =>
  next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`

const Next = ({ next }: { next: string | undefined }) =>
  next === undefined ? null : <input type="hidden" name="next" value={next} />

const Email = ({ value }: { value?: string | undefined }) => (
  <label>
    E-mail address
    <input type="email" name="email" autocomplete="email" required maxlength={254} value={value ?? ''} />
  </label>
)

const Password = ({ isNew = false }: { isNew?: boolean }) => (
  <label>
    Password
    {isNew && <span class="hint">At least 10 characters</span>}
    <input
      type="password"
      name="password"
      autocomplete={isNew ? 'new-password' : 'current-password'}
      required
      minlength={isNew ? 10 : 1}
      maxlength={200}
    />
  </label>
)

type Given = { next?: string | undefined; email?: string | undefined }

export const SignInForm = ({ next, email }: Given) => (
  <>
    <form class="stack" method="post" action={PATHS.signIn}>
      <Next next={next} />
      <Email value={email} />
      <Password />
      <button type="submit">Sign in</button>
    </form>
    <p>
      <a href={withNext(PATHS.link, next)}>Sign in with a link by mail</a>
    </p>
    <p>
      <a href={PATHS.reset}>Forgot the password?</a>
    </p>
    <p>
      New here? <a href={withNext(PATHS.signUp, next)}>Create an account</a>
    </p>
  </>
)

export const SignUpForm = ({ next, email }: Given) => (
  <>
    <form class="stack" method="post" action={PATHS.signUp}>
      <Next next={next} />
      <Email value={email} />
      <Password isNew />
      <button type="submit">Create account</button>
    </form>
    <p>
      Already here? <a href={withNext(PATHS.signIn, next)}>Sign in</a>
    </p>
  </>
)

export const MailForm = ({ action, label, next, email }: Given & { action: string; label: string }) => (
  <form class="stack" method="post" action={action}>
    <Next next={next} />
    <Email value={email} />
    <button type="submit">{label}</button>
  </form>
)

/** What a mailed link leads to: nothing happens until the button is pressed, so that programs that open links use none up. */
export const TokenForm = ({ action, label, token, next }: Given & { action: string; label: string; token: string }) => (
  <form class="stack" method="post" action={action}>
    <Next next={next} />
    <input type="hidden" name="token" value={token} />
    <button type="submit">{label}</button>
  </form>
)

export const NewPasswordForm = ({ token }: { token: string }) => (
  <form class="stack" method="post" action={PATHS.newPassword}>
    <input type="hidden" name="token" value={token} />
    <Password isNew />
    <button type="submit">Save the password</button>
  </form>
)
