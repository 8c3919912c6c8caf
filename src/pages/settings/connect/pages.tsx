import type { Hono } from 'hono'
import { guideTo, PATHS } from '../../../accounts/people/paths.ts'
import { getProject } from '../../../accounts/projects/read.ts'
import { ApiError, type FieldError } from '../../../platform/lib/errors.ts'
import { fieldErrors } from '../../../platform/lib/issues.ts'
import { connectFollower, connectIntegration, findSettings } from '../../../publishing/connect/connect.ts'
import { listIntegrations } from '../../../publishing/connect/integrations.ts'
import { ConnectIntegration } from '../../../publishing/connect/operations.ts'
import { ctxOf, idIn } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../../front.tsx'
import { labelOf, sitePath } from '../../menu.ts'
import { backTo, type Notice } from '../../notice.ts'
import { Field, upper, wrongWith } from '../../parts.tsx'
import { forPeople } from '../../words.ts'
import { type IntegrationFront, pageFor, refusalOf } from '../integrations.tsx'
import { bodyOf, type FormField, filledWith, type PlatformForm, platformForm } from './fields.ts'

type Props = {
  form: PlatformForm
  project: { id: number; websiteUrl: string }
  platform: string
  isSetup: boolean
  isFollower: boolean
  /** Values submitted before. Secrets are not shown again. */
  sent: Record<string, string>
  errors: readonly FieldError[]
}

const Mapped = ({ field, sent, errors }: { field: FormField } & Pick<Props, 'sent' | 'errors'>) => (
  <details open={errors.some(({ field: name }) => name.startsWith(field.name))}>
    <summary>{field.label}</summary>
    <div class="stack">
      <p class="hint">{field.hint}</p>
      {wrongWith(errors, field.name) && <p class="error">{wrongWith(errors, field.name)}</p>}
      {(field.parts ?? []).map((part) => {
        const name = `${field.name}.${part}`
        return (
          <Field
            name={name}
            label={upper(part.replaceAll('_', ' '))}
            value={sent[name]}
            error={wrongWith(errors, name)}
            maxlength={256}
          />
        )
      })}
    </div>
  </details>
)

const One = ({ field, sent, errors }: { field: FormField } & Pick<Props, 'sent' | 'errors'>) => {
  const { name, label, kind, hint } = field
  if (kind === 'map') return <Mapped field={field} sent={sent} errors={errors} />
  if (kind === 'check')
    return (
      <label class="check">
        <input type="checkbox" name={name} value="true" checked={sent[name] === 'true'} />
        {label}
      </label>
    )
  if (kind === 'lines')
    return (
      <label class="field">
        {label} (optional)
        <span class="hint">{hint}</span>
        {wrongWith(errors, name) && <span class="error">{wrongWith(errors, name)}</span>}
        <textarea name={name} rows={8} maxlength={5_000} spellcheck={false}>
          {sent[name]}
        </textarea>
      </label>
    )
  return (
    <Field
      name={name}
      label={field.optional ? `${label} (optional)` : label}
      hint={hint}
      type={kind === 'secret' ? 'password' : 'text'}
      value={kind === 'secret' ? undefined : sent[name]}
      error={wrongWith(errors, name) ?? wrongWith(errors, `${name}.0`)}
      required={!field.optional}
    />
  )
}

/** Renders the form that connects a platform to a project. */
const ConnectForm = ({ form, project, platform, isSetup, isFollower, sent, errors }: Props) => (
  <form class="stack narrow" method="post" action={`${PATHS.integrations}/connect`}>
    <input type="hidden" name="project_id" value={String(project.id)} />
    <input type="hidden" name="platform" value={platform} />
    {isSetup && <input type="hidden" name="setup" value="1" />}
    {isFollower && <input type="hidden" name="role" value="copies" />}
    <Field
      name="name"
      label="Name (optional)"
      hint="How it is called in lists"
      value={sent.name}
      error={wrongWith(errors, 'name')}
      maxlength={200}
    />
    {form.fields.map((field) => (
      <One field={field} sent={sent} errors={errors} />
    ))}
    <div class="row">
      <button type="submit">Connect {form.title}</button>
      {form.looks && (
        <button type="submit" name="look" value="1" class="plain">
          Look first, connect nothing
        </button>
      )}
    </div>
  </form>
)

/** Limit of attempts to connect by account, the same as for a call of the API. */
const TRIES = { name: 'people.connect', perMinute: 10 }

/**
 * Requested form. `isSetup` is true if the person returns to the setup of the site afterwards, `isFollower` if the connection gets
 * copies.
 */
type Asked = { projectId: number; platform: string; form: PlatformForm; isSetup: boolean; isFollower: boolean }

type Outcome = {
  sent?: Record<string, string>
  errors?: readonly FieldError[]
  notice?: Notice
  status?: 200 | 400 | 409 | 422 | 429 | 503
}

/** Shows the form of a platform for a project, with the submitted values and their errors. */
const formPage = async (c: PagesContext, front: IntegrationFront, asked: Asked, outcome: Outcome = {}) => {
  const { projectId, platform, form, isSetup, isFollower } = asked
  const { sent = {}, errors = [], notice, status = 200 } = outcome
  const [project, { rows }] = await Promise.all([
    getProject(ctxOf(c, front), projectId),
    listIntegrations(ctxOf(c, front), { project_id: projectId }),
  ])
  const before = rows.find((one) => one.platform !== 'Google Search Console')
  return await show(c, front, {
    title: `Connect ${form.title}`,
    menu: true,
    status,
    notice,
    body: (
      <>
        <p>
          {isFollower ? 'Copies of the articles of' : 'Articles of'} {labelOf(project)} are published there.{' '}
          {form.about} <a href={guideTo(platform)}>Step by step</a>
          {form.download && (
            <>
              {' '}
              <a href={form.download} download="">
                Download the plugin
              </a>
            </>
          )}
        </p>
        {before && !isFollower && (
          <p class="notice">
            “{before.name}” is connected now. The new connection replaces it; nothing is changed there.
          </p>
        )}
        <ConnectForm
          form={form}
          project={project}
          platform={platform}
          isSetup={isSetup}
          isFollower={isFollower}
          sent={sent}
          errors={errors}
        />
        <p>
          {isSetup ? (
            <a href={sitePath(projectId, 'setup')}>Back to setting up</a>
          ) : (
            <a href={pageFor(projectId)}>Back to the connections</a>
          )}
        </p>
      </>
    ),
  })
}

const STATUSES = { cms_rejected: 422, edit_conflict: 409, unavailable: 503 } as const

/** Returns a refusal to show beside the form. */
const refused = (error: ApiError): Outcome => {
  const errors = error.extras.details ?? []
  const status = Object.hasOwn(STATUSES, error.code) ? STATUSES[error.code as keyof typeof STATUSES] : 400
  const text = errors.length > 0 ? 'Nothing was saved. See the marked fields.' : `Nothing was saved: ${error.message}`
  return { errors, status, notice: { tone: 'bad', text } }
}

/** Returns the form that a request names by project and platform; undefined for an unknown platform. */
const askedIn = (front: IntegrationFront, given: Record<string, string | undefined>): Asked | undefined => {
  const platform = given.platform ?? ''
  const form = platformForm(platform, front.deps.settings.allowPrivateHosts)
  return (
    form && {
      projectId: idIn(given.project_id),
      platform,
      form,
      isSetup: given.setup === '1',
      isFollower: given.role === 'copies',
    }
  )
}

/** Returns a warning for people: in plain words, and with the Test button instead of the API call. */
const warningForPage = (warning = ''): string =>
  warning
    .replace(/(?<=did not accept a test event: ).*?\.(?= Install the )/s, forPeople)
    .replace(/Install the \w+ secret there\./, 'Give it the secret with which it checks messages.')
    .replace(/Try it with POST \S+/, 'Try it with its Test button.')

const connect = async (c: PagesContext, front: IntegrationFront, asked: Asked, sent: Record<string, string>) => {
  const { projectId, platform, form, isSetup, isFollower } = asked
  const name = (sent.name ?? '').trim()
  const body = { platform, ...(name === '' ? {} : { name }), ...bodyOf(form, sent) }
  const parsed = ConnectIntegration.safeParse(body)
  if (!parsed.success) {
    const errors = fieldErrors(parsed.error.issues, body)
    return await formPage(c, front, asked, { sent, errors, status: 400 })
  }
  try {
    if (form.looks && sent.look === '1') {
      const found = await findSettings(ctxOf(c, front), front.targets, front.forms, projectId, parsed.data)
      const text =
        'Nothing is saved yet. The fields show how the posts are written. Correct what is wrong, enter the token again, and connect.'
      return await formPage(c, front, asked, { sent: filledWith(form, sent, found), notice: { tone: 'good', text } })
    }
    const made = isFollower
      ? {
          ...(await connectFollower(ctxOf(c, front), front.targets, front.forms, projectId, parsed.data)),
          events_url: undefined,
        }
      : await connectIntegration(ctxOf(c, front), front.targets, front.forms, projectId, parsed.data)
    const { warning, signing_secret: signingSecret, events_url: eventsUrl } = made
    const secretNote =
      signingSecret === undefined
        ? ''
        : eventsUrl !== undefined
          ? ` If you want merges to count at once, add a webhook at the host of the repository: the address ${eventsUrl}, content type application/json, the event Pull requests (at GitLab: Merge requests), and the secret below. It is shown only this once.`
          : ' Below is the secret with which your site checks that a message comes from here. Copy it now: it is shown only this once.'
    return await backTo(c, front, isSetup ? sitePath(projectId, 'setup') : pageFor(projectId), {
      tone: warning === undefined ? 'good' : 'warn',
      text: `${form.title} is connected. ${warningForPage(warning)}`.trim() + secretNote,
      secret: signingSecret,
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'not_found' || error.code === 'forbidden') throw error
    return await formPage(c, front, asked, { sent, ...refused(error) })
  }
}

/** Adds the pages that connect a publishing target by a form. */
export const connectPages = (app: Hono<PagesEnv>, front: IntegrationFront): void => {
  const path = `${PATHS.integrations}/connect`
  app.get(path, signedIn(front), async (c) => {
    const asked = askedIn(front, c.req.query())
    return asked ? await refusalOf(c, front, () => formPage(c, front, asked)) : c.redirect(PATHS.integrations, 303)
  })
  app.post(path, signedIn(front), async (c) => {
    const sent = await formOf(c)
    const asked = askedIn(front, sent)
    if (!asked) return c.redirect(PATHS.integrations, 303)
    return await refusalOf(c, front, async () => {
      const { allowed } = await front.deps.limiter.take(TRIES, String(c.get('person').accountId))
      if (allowed) return await connect(c, front, asked, sent)
      const notice: Notice = { tone: 'bad', text: 'Too many tries. Wait a minute.' }
      return await formPage(c, front, asked, { sent, notice, status: 429 })
    })
  })
}
