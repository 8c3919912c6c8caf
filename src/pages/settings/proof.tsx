import { isPasswordOf, isProvedByMail, PASSWORD } from '../../accounts/people/password.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { PASSWORD_TRIES } from '../../accounts/people/tries.ts'
import { type Front, type PagesContext, show, tooOften } from '../front.tsx'
import { Field } from '../parts.tsx'

type Fields = Record<string, string>

const ProofForm = ({ path, fields, error }: { path: string; fields: Fields; error: string | undefined }) => (
  <>
    <p>This cannot be undone, or gives somebody access to your account. Nothing was changed yet.</p>
    <form class="stack" method="post" action={path}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Field
        type="password"
        name="password"
        label="Password"
        error={error}
        autocomplete="current-password"
        required
        maxlength={PASSWORD.most}
      />
      <button type="submit">Go on</button>
    </form>
    <p>
      No password?{' '}
      <a href={`${PATHS.link}?next=${encodeURIComponent(path.split('/').slice(0, 3).join('/'))}`}>
        Sign in again with a link by mail
      </a>
      , then repeat this within ten minutes.
    </p>
  </>
)

/**
 * Asks for the password. Returns the page that asks or refuses; undefined if the person is proved.
 *
 * Use it before changes that cannot be undone or that give others access. A person proved by a mailed link in the last
 * ten minutes needs no password.
 */
export const askProof = async (
  c: PagesContext,
  front: Front,
  { password = '', ...fields }: Fields,
): Promise<Response | undefined> => {
  const { db, now } = front.deps
  const { id, email } = c.get('person')
  const ask = (status: 400 | 403, error?: string) =>
    show(c, front, {
      title: 'Confirm that it is you',
      menu: true,
      status,
      body: <ProofForm path={c.req.path} fields={fields} error={error} />,
    })
  if (password === '') return isProvedByMail(c.get('provedAt'), now()) ? undefined : await ask(403)
  const refused = await tooOften(c, front, [[PASSWORD_TRIES, email]])
  if (refused) return refused
  return (await isPasswordOf(db, id, password)) ? undefined : await ask(400, 'The password is wrong.')
}
