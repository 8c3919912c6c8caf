import type { Hono } from 'hono'
import { PATHS } from '../../../accounts/people/paths.ts'
import { has } from '../../../accounts/people/roles.ts'
import { ChooseArticlePlan } from '../../../accounts/projects/operations.ts'
import { type ProjectRow, projectSettings } from '../../../accounts/projects/present.ts'
import { getProject } from '../../../accounts/projects/read.ts'
import { articlePlanListing } from '../../../accounts/projects/rules.ts'
import { chooseArticlePlan, clockNote, movesPages, updateProject } from '../../../accounts/projects/update.ts'
import { sha256 } from '../../../platform/lib/crypto.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { etagOf } from '../../../platform/lib/etag.ts'
import { askToConfirm } from '../../confirm.tsx'
import { ctxOf } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { backTo, type Notice } from '../../notice.ts'
import { readStopping } from '../../queries.ts'
import { deletionPath } from '../../settings/projects.tsx'
import { act, mayAct, type SiteFront, siteIdIn, withSite } from '../front.ts'
import { Card } from '../parts.tsx'
import { type Group, inWords, readGroup, Setting, sentencesOn, shownAs, type Values } from './fields.tsx'
import { groupsFor, missingOnPlan } from './groups.ts'

/** Returns the path of a group of a site's settings. */
const groupPath = (site: number, group: string): string => sitePath(site, `settings/${group}`)

/** Returns a hash of a group's values. Saving another group does not change it. */
const versionOf = async ({ fields }: Group, values: Values): Promise<string> =>
  (await sha256(JSON.stringify(fields.map(({ name }) => values[name] ?? null)))).slice(0, 16)

/** Returns the group in the path, or the first one. Throws `not_found` for an unknown group. */
const groupIn = (c: PagesContext, groups: readonly Group[]): Group => {
  const name = c.req.param('group')
  const group = name === undefined ? groups[0] : groups.find(({ key }) => key === name)
  if (!group) throw new ApiError('not_found', 'There is no such group of settings.')
  return group
}

/** Submitted form that was not saved: its values, their errors, and the reason. */
type Refused = { typed: Record<string, string>; wrong: Record<string, string>; notice: Notice; status: 400 | 412 | 429 }

type Shown = { project: ProjectRow; group: Group; groups: readonly Group[]; refused?: Refused | undefined }

const Tabs = ({ groups, group, site }: { groups: readonly Group[]; group: Group; site: number }) => (
  <nav class="tabs find" aria-label="Settings of the site">
    {groups.map(({ key, title }) => (
      <a href={groupPath(site, key)} aria-current={key === group.key ? 'page' : undefined}>
        {title}
      </a>
    ))}
  </nav>
)

type FormProps = { group: Group; values: Values; version: string; site: number; refused: Refused | undefined }

const GroupForm = ({ group, values, version, site, refused }: FormProps) => (
  <form class="stack in" method="post" action={groupPath(site, group.key)}>
    <input type="hidden" name="version" value={version} />
    {group.fields.map((field) => {
      const saved = shownAs(field, values[field.name])
      const text = refused?.typed[field.name] ?? saved
      const differs = refused?.status === 412 && text !== saved
      return (
        <Setting
          field={field}
          text={text}
          wrong={refused?.wrong[field.name]}
          saved={differs ? inWords(field, saved) : undefined}
        />
      )
    })}
    <div class="row">
      <button type="submit">Save</button>
    </div>
  </form>
)

const ReadOnly = ({ group, values }: { group: Group; values: Values }) => (
  <dl class="in">
    {group.fields.map((field) => (
      <div>
        <dt>{field.label}</dt>
        <dd dir="auto">{inWords(field, shownAs(field, values[field.name]))}</dd>
      </div>
    ))}
  </dl>
)

/** Renders the choice of articles a month. It has its own form, because the choices depend on the account's plan. */
const ArticlePlan = ({ c, project }: { c: PagesContext; project: ProjectRow }) => {
  const { current, available } = articlePlanListing(c.get('person').plan, project.articlePlan)
  const open = available.filter(({ included }) => included)
  return (
    <Card title="Articles a month" span="c7">
      <div class="in">
        <p class="hint">
          How many a month are planned at once, when you have a month planned. Nothing is billed by it.
        </p>
        {has(c.get('person').role, 'manage') && open.length > 0 ? (
          <form class="row" method="post" action={groupPath(project.id, 'publishing/articles')}>
            <label>
              <span class="unseen">Articles a month</span>
              <select name="plan">
                {current === null && <option value="">Not chosen</option>}
                {open.map(({ plan, label }) => (
                  <option value={String(plan)} selected={plan === current}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
            <button class="plain" type="submit">
              Choose
            </button>
          </form>
        ) : (
          <p>{available.find(({ plan }) => plan === current)?.label ?? 'None is chosen.'}</p>
        )}
        {open.length < available.length && has(c.get('person').role, 'manage') && (
          <p class="hint">
            {open.length === 0 ? 'Your plan plans none.' : 'More are on a larger plan.'}{' '}
            <a href={PATHS.billing}>See the plans</a>
          </p>
        )}
      </div>
    </Card>
  )
}

const draw = async (c: PagesContext, front: SiteFront, { project, group, groups, refused }: Shown) => {
  const values = projectSettings(project, front.deps.settings.serviceName)
  const may = has(c.get('person').role, 'manage')
  const version = await versionOf(group, values)
  const lack = may ? missingOnPlan(group.key, c.get('person').plan) : undefined
  return await show(c, front, {
    title: `Site settings: ${group.title}`,
    menu: true,
    page: 'preferences',
    site: project.id,
    status: refused?.status ?? 200,
    notice: refused?.notice,
    body: (
      <>
        <Tabs groups={groups} group={group} site={project.id} />
        <div class="cards">
          <section class="card c7">
            <div class="in hint">
              <p>{group.about}</p>
              {!may && <p>Owners and members of the account change these.</p>}
              {lack && (
                <p>
                  {lack.text} <a href={lack.href}>{lack.label}</a>
                </p>
              )}
            </div>
            {may ? (
              <GroupForm group={group} values={values} version={version} site={project.id} refused={refused} />
            ) : (
              <ReadOnly group={group} values={values} />
            )}
          </section>
          {group.key === 'publishing' && <ArticlePlan c={c} project={project} />}
        </div>
        {may && (
          <p class="hint">
            A new address? <a href={sitePath(project.id, 'move')}>Move the site</a>. No longer needed?{' '}
            <a href={PATHS.projects}>Archive the site</a>
            {has(c.get('person').role, 'own') && (
              <>
                {' or '}
                <a href={deletionPath(project.id)}>delete it</a>
              </>
            )}
            .
          </p>
        )}
      </>
    ),
  })
}

const page = async (c: PagesContext, front: SiteFront) => {
  const groups = groupsFor(front.deps.settings.serviceName)
  const group = groupIn(c, groups)
  const [, project] = await withSite(c, getProject(ctxOf(c, front), siteIdIn(c)))
  return await draw(c, front, { project, group, groups })
}

/** Asks for confirmation if a change stops dated articles from going live. The page has their number. */
const askToStop = async (
  c: PagesContext,
  front: SiteFront,
  { project, changes, fields }: { project: ProjectRow; changes: Values; fields: Record<string, string> },
) => {
  const next = changes.publishing_status
  if (next === undefined || next === 'Publish Immediately' || project.publishingStatus !== 'Publish Immediately') return
  const { planned } = await readStopping(front.deps.db, project.id)
  if (planned === 0) return
  const [articles, their] = planned === 1 ? ['1 planned article', 'its'] : [`${planned} planned articles`, 'their']
  return await askToConfirm(c, front, fields, () => ({
    title: 'Stop articles from going live?',
    body: (
      <p>
        {articles} will not go live on {their} date any more:{' '}
        {next === 'Save as Drafts' ? 'each becomes a draft here' : 'each is sent to your site as a draft'}. Dates and
        texts stay.
      </p>
    ),
    label: 'Save it',
    back: groupPath(project.id, 'publishing'),
  }))
}

const CHANGED: Notice = {
  tone: 'bad',
  text: 'Somebody changed these settings since you opened the page, so nothing was saved. What you typed is below, beside what is saved now. Save again if you still mean it.',
}

/** Saves the settings and returns the message for people. */
const savedText = async (front: SiteFront, c: PagesContext, project: ProjectRow, changes: Values): Promise<string> => {
  const ctx = { ...ctxOf(c, front), ifMatch: [etagOf(project.updatedAt)] }
  const done = await updateProject(ctx, project.id, changes)
  return `Saved.${clockNote(done)}${movesPages(project, changes) ? ' The site is being read again.' : ''}`
}

const save = async (c: PagesContext, front: SiteFront) => {
  const groups = groupsFor(front.deps.settings.serviceName)
  const group = groupIn(c, groups)
  const reading = Promise.all([formOf(c), getProject(ctxOf(c, front), siteIdIn(c))])
  const [site, [fields, project]] = await withSite(c, reading)
  const values = projectSettings(project, front.deps.settings.serviceName)
  const { changes, typed, wrong } = readGroup(group, values, fields)
  const refuse = (refused: Pick<Refused, 'notice' | 'status'> & { wrong?: Refused['wrong'] }, now = project) =>
    draw(c, front, { project: now, group, groups, refused: { typed, wrong: {}, ...refused } })
  const isWrong = (sentences: Refused['wrong']) =>
    refuse({
      wrong: sentences,
      status: 400,
      notice: { tone: 'bad', text: 'Nothing was saved. See the marked fields.' },
    })
  if (Object.keys(wrong).length > 0) return await isWrong(wrong)
  const back = groupPath(site.id, group.key)
  if (Object.keys(changes).length === 0)
    return await backTo(c, front, back, { tone: 'plain', text: 'That is saved already. Nothing was changed.' })
  if (fields.version !== (await versionOf(group, values))) return await refuse({ notice: CHANGED, status: 412 })
  const asked = await askToStop(c, front, { project, changes, fields })
  if (asked) return asked
  if (!(await mayAct(c, front)))
    return await refuse({
      status: 429,
      notice: { tone: 'bad', text: 'Nothing was saved: too many tries. Wait a minute.' },
    })
  try {
    const text = await savedText(front, c, project, changes)
    return await backTo(c, front, back, { tone: 'good', text })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'changed_meanwhile')
      return await refuse({ notice: CHANGED, status: 412 }, await getProject(ctxOf(c, front), site.id))
    const sentences = sentencesOn(group, error.extras.details ?? [], changes)
    if (Object.keys(sentences).length === 0) throw error
    return await isWrong(sentences)
  }
}

/** Adds the pages of a site's settings, one for each group. */
export const siteSettingsPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/settings', signedIn(front), (c) => page(c, front))
  app.post('/p/:site/settings/publishing/articles', signedIn(front), async (c) => {
    const [{ id }, { plan }] = await withSite(c, formOf(c))
    return await act(c, front, groupPath(id, 'publishing'), async () => {
      const { data } = ChooseArticlePlan.safeParse({ plan: Number(plan) })
      if (!data) return { tone: 'bad', text: 'Nothing was saved. Choose one of the list.' }
      await chooseArticlePlan(ctxOf(c, front), id, data.plan)
      return 'Saved. It holds for the next month that is planned.'
    })
  })
  app.get('/p/:site/settings/:group', signedIn(front), (c) => page(c, front))
  app.post('/p/:site/settings/:group', signedIn(front), (c) => save(c, front))
}
