import type { Hono } from 'hono'
import type { Payments } from '../../accounts/billing/subscription.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { has } from '../../accounts/people/roles.ts'
import { createProject } from '../../accounts/projects/create.ts'
import { type ProjectRow, projectSettings } from '../../accounts/projects/present.ts'
import { getProject } from '../../accounts/projects/read.ts'
import { scanProject } from '../../accounts/projects/scan.ts'
import { clockNote, updateProject } from '../../accounts/projects/update.ts'
import { welcome } from '../../content/exchange/writes.ts'
import { onboardProject } from '../../insights/onboarding/start.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { ctxOf } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { backTo, type Notice } from '../notice.ts'
import { Field, Select } from '../parts.tsx'
import { type BillingFront, Buy, PlanTable, SUM_JS } from '../settings/billing.tsx'
import { PLATFORM_NAMES } from '../settings/connect/fields.ts'
import { forPeople, wordsOf } from '../words.ts'
import { DateCost, PlaceCost } from './cost.tsx'
import { act, siteIdIn, siteIn, withSite } from './front.ts'
import { guessFor } from './guess.ts'
import { readConditions, readScheduled, readUndated } from './queries.ts'
import { type Group, type Read, readGroup, Setting, shownAs } from './settings/fields.tsx'
import { groupsFor } from './settings/groups.ts'
import { MonthNote, type Step, Steps, scanStep } from './setup-steps.tsx'

type SetupFront = Front & Pick<BillingFront, 'payments'>

const NeedsPlace = ({ isOwner }: { isOwner: boolean }) => (
  <div class="notice warn">
    <p>The account has no free place for a site. Nothing was made yet.</p>
    <p>
      {isOwner ? (
        <a class="button" href={PATHS.billing}>
          Choose a plan
        </a>
      ) : (
        'Ask an owner of the account to add a place.'
      )}
    </p>
  </div>
)

/** Shows the form for the first plan. Who has paid comes back to the form for the address. */
const choosePlan = async (c: PagesContext, front: SetupFront, payments: Payments) =>
  await show(c, front, {
    title: 'Choose a plan',
    menu: true,
    page: 'sites',
    formTarget: payments.origins.join(' '),
    script: SUM_JS,
    body: (
      <>
        <p>Each site has a place on a plan. When you have paid, you add the address of your site.</p>
        <Buy offers={payments.offers} plan={c.get('person').plan} slots={1} nonce={front.deps.newId()} />
        <h2>Plans</h2>
        <PlanTable plan={undefined} />
      </>
    ),
  })

type Beginning = { address?: string; wrong?: string; needsPlace?: boolean; hasPaid?: boolean }

/** Shows the form for the address of a new site. */
const begin = async (c: PagesContext, front: SetupFront, shown: Beginning = {}) => {
  const { address = '', wrong, needsPlace = false, hasPaid = false } = shown
  const isOwner = has(c.get('person').role, 'own')
  const { length: used } = await c.get('sites')
  return await show(c, front, {
    title: 'Add a site',
    menu: true,
    page: 'sites',
    status: wrong === undefined ? 200 : 400,
    ...(hasPaid && wrong === undefined ? { notice: { tone: 'good', text: 'Thank you. Now add your site.' } } : {}),
    body: (
      <>
        <p>
          The site’s public pages are read to learn what it is about. Nothing is changed there, and nothing is spent.
        </p>
        {needsPlace && <NeedsPlace isOwner={isOwner} />}
        <form class="stack narrow" method="post" action="/setup">
          {hasPaid && <input type="hidden" name="paid" value="1" />}
          <Field
            name="website_url"
            label="Address of the site"
            hint="For example example.com"
            value={address}
            error={wrong}
            required
            maxlength={2_000}
          />
          <PlaceCost c={c} used={used} />
          <div class="row">
            <button type="submit">Add the site</button>
          </div>
        </form>
      </>
    ),
  })
}

/** Returns the settings that reading the site fills in. The person can correct them. */
const understood = (service: string): Group => {
  const names = ['business_name', 'business_description', 'language', 'timezone']
  const fields = groupsFor(service).flatMap((group) => group.fields)
  return { key: 'understood', title: '', about: '', fields: fields.filter(({ name }) => names.includes(name)) }
}

type UnderstoodProps = {
  project: ProjectRow
  service: string
  here: string
  refused: Read | undefined
  guess: ReturnType<typeof guessFor>
}

const GUESSED = 'A guess from your browser and connection. Save to use it.'

const Understood = ({ project, service, here, refused, guess }: UnderstoodProps) => {
  const values: Record<string, unknown> = { ...projectSettings(project, service), ...guess }
  return (
    <section class="card">
      <header>
        <h2>What was understood</h2>
        <span class="meta">correct what is wrong</span>
      </header>
      <form class="stack in" method="post" action={`${here}/business`}>
        {understood(service).fields.map((field) => (
          <Setting
            field={Object.hasOwn(guess, field.name) ? { ...field, hint: GUESSED } : field}
            text={refused?.typed[field.name] ?? shownAs(field, values[field.name])}
            wrong={refused?.wrong[field.name]}
          />
        ))}
        <div class="row">
          <button class="plain" type="submit">
            Save
          </button>
          <a href={sitePath(project.id, 'settings')}>All settings of the site</a>
        </div>
      </form>
    </section>
  )
}

const page = async (c: PagesContext, front: Front, refused?: Read) => {
  const { db, now, settings } = front.deps
  const [account, id, today] = [c.get('person').accountId, siteIdIn(c), now()]
  const range = { from: today, until: new Date(today.getTime() + 400 * 86_400_000) }
  const [site, [project, conditions, scheduled, undated]] = await withSite(
    c,
    Promise.all([
      getProject(ctxOf(c, front), id),
      readConditions(db, account, id, today),
      readScheduled(db, { account, project: id, ...range, most: 1 }),
      readUndated(db, account, id),
    ]),
  )
  const here = sitePath(site.id, 'setup')
  const hasArticles = scheduled.length + undated.length > 0
  const hasWriter = PLAN_INCLUDES[c.get('person').plan].writer
  const isConnected = conditions?.has_target === true
  const trouble = conditions?.target_error ?? null
  const steps: Step[] = [
    { title: 'The site is added', state: 'done', body: <p>{project.websiteUrl}</p> },
    scanStep(project, here),
    {
      title: isConnected
        ? `Articles go to ${conditions?.target_name ?? 'your site'}`
        : 'Connect where articles are published',
      state: !isConnected ? 'now' : trouble === null ? 'done' : 'trouble',
      body: isConnected ? (
        trouble !== null && (
          <p>
            It did not accept what was sent last. {forPeople(trouble)}{' '}
            <a href={`${PATHS.integrations}?project_id=${site.id}`}>Look at the connection</a>
          </p>
        )
      ) : (
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
        <>
          <p>
            <a href={sitePath(site.id, 'calendar')}>Open the calendar</a>
          </p>
          <MonthNote project={project} here={here} />
        </>
      ) : (
        <>
          <p>
            <a href={sitePath(site.id, 'plan')}>Write one yourself</a>, or let your agent do it: it connects to{' '}
            <code>{settings.publicUrl}/mcp</code>.
          </p>
          <MonthNote project={project} here={here} />
          {hasWriter && project.onboardingState !== 'running' && (
            <form class="inline" method="post" action={`${here}/month`}>
              <button class="plain" type="submit">
                Have a month planned{project.articlePlan === null ? '' : `, ${project.articlePlan} articles`}
              </button>
              <DateCost c={c} conditions={conditions} />
            </form>
          )}
        </>
      ),
    },
  ]
  return await show(c, front, {
    title: 'Set up',
    menu: true,
    ...(refused ? { status: 400, notice: { tone: 'bad', text: 'Nothing was saved. See the marked fields.' } } : {}),
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
        <Understood
          guess={guessFor(project, (name) => c.req.header(name))}
          project={project}
          service={settings.serviceName}
          here={here}
          refused={refused}
        />
      </>
    ),
  })
}

const NOTHING_KNOWN: Notice = {
  tone: 'bad',
  text: 'Nothing was started: the site could not be read, so there is nothing to find keywords from. Say below what the business does, then try again.',
}

/** Adds the pages from the address of a new site to its first article. */
export const setupPages = (app: Hono<PagesEnv>, front: SetupFront): void => {
  app.get('/setup', signedIn(front), async (c) => {
    const [{ length: used }, { projectSlots, role }] = [await c.get('sites'), c.get('person')]
    // The provider tells of a payment by itself, at times after the person has come back.
    const hasPaid = c.req.query('paid') !== undefined
    if (projectSlots === 0 && used === 0 && !hasPaid && front.payments && has(role, 'own'))
      return await choosePlan(c, front, front.payments)
    return await begin(c, front, { needsPlace: used >= projectSlots && !hasPaid, hasPaid })
  })
  app.post('/setup', signedIn(front), async (c) => {
    const { website_url = '', paid } = await formOf(c)
    const [address, hasPaid] = [website_url.trim(), paid !== undefined]
    const refused = (wrong: string) => begin(c, front, { address, wrong, hasPaid })
    if (address === '' || address.length > 2_000 || /\s/.test(address))
      return await refused('That is not the address of a site.')
    try {
      const { body } = await createProject(ctxOf(c, front), { website_url: address }, welcome)
      const id = Number(body.project_id)
      return await backTo(c, front, sitePath(id, 'setup'), {
        tone: 'good',
        text: body.already_existed ? 'You have this site already.' : 'The site is added. Its pages are being read.',
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code !== 'project_limit_reached') return await refused(`Nothing was made. ${wordsOf(error)}`)
      return hasPaid
        ? await refused('Nothing was made: the payment is not confirmed yet. Try again in a moment.')
        : await begin(c, front, { address, needsPlace: true })
    }
  })
  app.get('/p/:site/setup', signedIn(front), (c) => page(c, front))
  const on = (path: string, run: (c: PagesContext, id: number) => Promise<Notice | string>) =>
    app.post(`/p/:site/setup/${path}`, signedIn(front), async (c) => {
      const site = await siteIn(c)
      return await act(c, front, sitePath(site.id, 'setup'), () => run(c, site.id))
    })
  on('scan', async (c, id) => {
    await scanProject(ctxOf(c, front), id)
    return 'The site is being read again.'
  })
  on('month', async (c, id) => {
    const started = await onboardProject(ctxOf(c, front), id).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'invalid_input') return undefined
      throw error
    })
    if (!started) return NOTHING_KNOWN
    const { body } = started
    return body.status === 'started'
      ? 'Keywords are being found and a month is planned. Look at the calendar in a few minutes.'
      : 'There was nothing to start.'
  })
  app.post('/p/:site/setup/business', signedIn(front), async (c) => {
    const ctx = ctxOf(c, front)
    const [site, [fields, project]] = await withSite(c, Promise.all([formOf(c), getProject(ctx, siteIdIn(c))]))
    const { serviceName } = front.deps.settings
    const read = readGroup(understood(serviceName), projectSettings(project, serviceName), fields)
    if (Object.keys(read.wrong).length > 0) return await page(c, front, read)
    return await act(c, front, sitePath(site.id, 'setup'), async () =>
      Object.keys(read.changes).length === 0
        ? { tone: 'plain', text: 'That is saved already. Nothing was changed.' }
        : `Saved.${clockNote(await updateProject(ctx, site.id, read.changes))}`,
    )
  })
}
