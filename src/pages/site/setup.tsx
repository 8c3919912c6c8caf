import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { PATHS } from '../../accounts/people/paths.ts'
import { has } from '../../accounts/people/roles.ts'
import { createProject } from '../../accounts/projects/create.ts'
import { getProject } from '../../accounts/projects/read.ts'
import { scanProject } from '../../accounts/projects/scan.ts'
import { UpdateProject } from '../../accounts/projects/schemas.ts'
import { clockNote, updateProject } from '../../accounts/projects/update.ts'
import { welcome } from '../../content/exchange/welcome.ts'
import { onboardProject } from '../../insights/onboarding/start.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { ctxOf } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { backTo } from '../notice.ts'
import { Field, For, Select } from '../parts.tsx'
import { PLATFORM_NAMES } from '../settings/connect/fields.ts'
import { forPeople, wordsOf } from '../words.ts'
import { act } from './acts.ts'
import { siteIdIn, siteIn, withSite } from './front.ts'
import { MarkPill } from './parts.tsx'
import { readConditions, readScheduled, readUndated } from './queries.ts'

/** Returns the form for the address of a new site. */
const begin = (c: PagesContext, front: Front, address = '', wrong?: string, needsPlace = false) =>
  show(c, front, {
    title: 'Add a site',
    menu: true,
    page: 'sites',
    status: wrong === undefined ? 200 : 400,
    body: (
      <>
        <p>
          The site’s public pages are read to learn what it is about. Nothing is changed there, and nothing is spent.
        </p>
        {needsPlace && (
          <div class="notice warn">
            <p>The account has no free place for a site. Nothing was made yet.</p>
            <p>
              <For right="own">
                <a class="button" href={PATHS.billing}>
                  Choose a plan
                </a>
              </For>
              {has(c.get('person').role, 'own') ? null : 'Ask an owner of the account to add a place.'}
            </p>
          </div>
        )}
        <form class="stack narrow" method="post" action="/setup">
          <Field
            name="website_url"
            label="Address of the site"
            hint="For example example.com"
            value={address}
            error={wrong}
            required
            maxlength={2_000}
          />
          <div class="row">
            <button type="submit">Add the site</button>
          </div>
        </form>
      </>
    ),
  })

type Step = { title: string; state: 'done' | 'now' | 'trouble' | 'open'; body: Child }

const MARKS = {
  done: ['good', '●', 'Done'],
  now: ['accent', '…', 'Next'],
  trouble: ['bad', '▲', 'Look'],
  open: ['plain', '□', 'Later'],
} as const

const Steps = ({ steps }: { steps: readonly Step[] }) => (
  <div class="card">
    <ol class="rows">
      {steps.map(({ title, state, body }) => {
        return (
          <li>
            <MarkPill mark={MARKS[state]} />
            <div>
              <strong>{title}</strong>
              {body}
            </div>
          </li>
        )
      })}
    </ol>
  </div>
)

type Project = Awaited<ReturnType<typeof getProject>>

const scanStep = (project: Project, here: string): Step => {
  const again = (
    <form class="inline" method="post" action={`${here}/scan`}>
      <button class="plain" type="submit">
        Read it again
      </button>
    </form>
  )
  if (project.siteScanState === 'completed')
    return {
      title: 'The site is read',
      state: 'done',
      body: (
        <>
          <p>What was understood stands below.</p>
          {project.siteScanError !== null && <p>{forPeople(project.siteScanError)}</p>}
        </>
      ),
    }
  if (project.siteScanState === 'failed')
    return {
      title: 'The site could not be read',
      state: 'trouble',
      body: (
        <>
          <p>{forPeople(project.siteScanError ?? '') || 'It did not answer.'} You can type below what it is about.</p>
          {again}
        </>
      ),
    }
  return {
    title: 'The site is being read',
    state: 'now',
    body: (
      <p>
        This takes a minute or two. <a href={here}>Look again</a>
      </p>
    ),
  }
}

/** Texts about a business as somebody typed them, and which of them is wrong. */
type Typed = {
  business_name: string
  business_description: string
  timezone: string
  wrong: 'timezone' | 'text'
}

const Understood = ({ project, here, typed }: { project: Project; here: string; typed: Typed | undefined }) => (
  <section class="card">
    <header>
      <h2>What was understood</h2>
      <span class="meta">correct what is wrong</span>
    </header>
    <form class="stack in" method="post" action={`${here}/business`}>
      <Field
        name="business_name"
        label="Name of the business"
        value={typed?.business_name ?? project.businessName}
        maxlength={500}
      />
      <label>
        What it does
        <textarea name="business_description" rows={4} maxlength={500} dir="auto">
          {typed?.business_description ?? project.businessDescription}
        </textarea>
      </label>
      <Field
        name="timezone"
        label="Time zone"
        hint="As in Europe/Paris; every date is shown by its clock"
        value={typed?.timezone ?? project.timezone}
        error={typed?.wrong === 'timezone' ? 'There is no such time zone.' : undefined}
        required
        maxlength={64}
      />
      <div class="row">
        <button class="plain" type="submit">
          Save
        </button>
        <a href={sitePath(project.id, 'settings/writing')}>Language and all other settings</a>
      </div>
    </form>
  </section>
)

const page = async (c: PagesContext, front: Front, typed?: Typed) => {
  const { db, now, settings } = front.deps
  const [account, id, today] = [c.get('person').accountId, siteIdIn(c), now()]
  const range = { from: today, until: new Date(today.getTime() + 400 * 86_400_000) }
  const [site, [project, conditions, scheduled, undated]] = await withSite(
    c,
    Promise.all([
      getProject(ctxOf(c, front), id),
      readConditions(db, account, id),
      readScheduled(db, { account, project: id, ...range, most: 1 }),
      readUndated(db, account, id),
    ]),
  )
  const here = sitePath(site.id, 'setup')
  const hasArticles = scheduled.length + undated.length > 0
  const hasWriter = PLAN_INCLUDES[c.get('person').plan].writer
  const isConnected = conditions?.has_target === true
  const steps: Step[] = [
    { title: 'The site is added', state: 'done', body: <p>{project.websiteUrl}</p> },
    scanStep(project, here),
    {
      title: isConnected
        ? `Articles go to ${conditions?.target_name ?? 'your site'}`
        : 'Connect where articles are published',
      state: isConnected ? 'done' : 'now',
      body: isConnected ? null : (
        <form class="row" method="get" action={`${PATHS.integrations}/connect`}>
          <input type="hidden" name="project_id" value={String(site.id)} />
          <input type="hidden" name="setup" value="1" />
          <Select name="platform" label="Where articles are published" options={PLATFORM_NAMES} />
          <button type="submit">Connect it</button>
        </form>
      ),
    },
    {
      title: hasArticles ? 'Articles are planned' : 'Plan the first article',
      state: hasArticles ? 'done' : isConnected ? 'now' : 'open',
      body: hasArticles ? (
        <p>
          <a href={sitePath(site.id, 'calendar')}>Open the calendar</a>
        </p>
      ) : (
        <>
          <p>
            <a href={sitePath(site.id, 'plan')}>Write one yourself</a>, or let your agent do it: it connects to{' '}
            <code>{settings.publicUrl}/mcp</code>.
          </p>
          {hasWriter && (
            <form class="inline" method="post" action={`${here}/month`}>
              <button class="plain" type="submit">
                Have a month planned{project.articlePlan === null ? '' : `, ${project.articlePlan} articles`}; each
                written one costs an article credit
              </button>
            </form>
          )}
        </>
      ),
    },
  ]
  return await show(c, front, {
    title: 'Set up',
    menu: true,
    ...(typed
      ? {
          status: 400,
          notice: {
            tone: 'bad',
            text: `Nothing was saved. ${typed.wrong === 'timezone' ? 'See the marked field.' : 'One of the texts is too long.'}`,
          },
        }
      : {}),
    page: 'overview',
    site: site.id,
    actions: (
      <a class="button plain" href={sitePath(site.id)}>
        To the overview
      </a>
    ),
    body: (
      <>
        <Steps steps={steps} />
        <Understood project={project} here={here} typed={typed} />
      </>
    ),
  })
}

/** From the address of a site to its first article. */
export const setupPages = (app: Hono<PagesEnv>, front: Front): void => {
  app.get('/setup', signedIn(front), async (c) => {
    const needsPlace = (await c.get('sites')).length >= c.get('person').projectSlots
    return await begin(c, front, '', undefined, needsPlace)
  })
  app.post('/setup', signedIn(front), async (c) => {
    const address = ((await formOf(c)).website_url ?? '').trim()
    if (address === '' || address.length > 2_000 || /\s/.test(address))
      return await begin(c, front, address, 'That is not the address of a site.')
    try {
      const { body } = await createProject(ctxOf(c, front), { website_url: address }, welcome)
      const id = Number(body.project_id)
      return await backTo(c, front, sitePath(id, 'setup'), {
        tone: 'good',
        text: body.already_existed ? 'You have this site already.' : 'The site is added. Its pages are being read.',
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'project_limit_reached') return await begin(c, front, address, undefined, true)
      return await begin(c, front, address, `Nothing was made. ${wordsOf(error)}`)
    }
  })
  app.get('/p/:site/setup', signedIn(front), (c) => page(c, front))
  const on = (path: string, run: (c: PagesContext, id: number, fields: Record<string, string>) => Promise<string>) =>
    app.post(`/p/:site/setup/${path}`, signedIn(front), async (c) => {
      const [fields, site] = await Promise.all([formOf(c), siteIn(c)])
      return await act(c, front, sitePath(site.id, 'setup'), () => run(c, site.id, fields))
    })
  on('scan', async (c, id) => {
    await scanProject(ctxOf(c, front), id)
    return 'The site is being read again.'
  })
  on('month', async (c, id) => {
    const { body } = await onboardProject(ctxOf(c, front), id)
    return body.status === 'started'
      ? 'Keywords are being found and a month is planned. Look at the calendar in a few minutes.'
      : 'There was nothing to start.'
  })
  app.post('/p/:site/setup/business', signedIn(front), async (c) => {
    const [fields, site] = await Promise.all([formOf(c), siteIn(c)])
    const { business_name = '', business_description = '', timezone = '' } = fields
    const given = UpdateProject.safeParse({
      business_name: business_name.trim(),
      business_description: business_description.trim(),
      timezone: timezone.trim(),
    })
    if (given.success)
      return await act(
        c,
        front,
        sitePath(site.id, 'setup'),
        async () => `Saved.${clockNote(await updateProject(ctxOf(c, front), site.id, given.data))}`,
      )
    const isZone = given.error.issues.some(({ path }) => path[0] === 'timezone')
    return await page(c, front, { business_name, business_description, timezone, wrong: isZone ? 'timezone' : 'text' })
  })
}
