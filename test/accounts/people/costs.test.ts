import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { ROOT } from '../../../local/root.ts'
import { OPERATIONS } from '../../../src/operations.ts'
import { order, work } from '../../reach/crowdwork/scene.ts'
import { type Api, newArticle, newProject } from '../../support/client.ts'
import { setPolicy } from '../policy/set.ts'
import { formOn, newOwner, textOf, type Visitor } from './browser.ts'

const stack = inject('stack')

/** Returns a person of an account on Pro, with one site and 30 article credits a month. */
const owner = async () => {
  const { api, person } = await newOwner(stack, { plan: 'pro' })
  const site = await newProject(api, { publishing_status: 'Save as Drafts', timezone: 'UTC' })
  return { api, person, site, at: `/p/${site}` }
}

const PLANNED = { status: 'Planned', content: '', scheduled_date: '2032-06-10T09:00' }

describe('article credits, before a click', () => {
  it('are named beside every date that spends one, and not for a text of one’s own', async () => {
    const { api, person, site, at } = await owner()
    const id = await newArticle(api, site, PLANNED)
    const left = /uses 1 article credit when the service writes it.* 30 are left this month; a later month has 30\./
    for (const page of ['/plan', '/calendar', '/articles', `/articles/${id}`])
      expect(textOf(await person.get(at + page)), page).toMatch(left)
    expect(textOf(await person.get('/sites/calendar'))).toMatch(left)
    expect(textOf(await person.get(`${at}/articles/${id}`))).toContain(
      'Uses 1 of the 30 article credits of its month when the writer begins, Mon 7 Jun 2032, 09:00',
    )
    await setPolicy(stack, site, { monthly_budget: { article_credits: 4, crowdwork_dollars: null } })
    expect(textOf(await person.get(`${at}/plan`))).toContain('The budget of this site allows 4 more this month.')
    const own = await newArticle(api, site, { ...PLANNED, content: `<p>${'word '.repeat(400)}</p>` })
    expect(textOf(await person.get(`${at}/articles/${own}`))).not.toMatch(/article credit/)
    const { person: other, api: agentic } = await newOwner(stack, { plan: 'agentic' })
    expect(textOf(await other.get(`/p/${await newProject(agentic)}/plan`))).not.toContain('article credit')
  })

  it('that do not reach a date are told on the list, the calendar and the article', async () => {
    const { api, person, site, at } = await owner()
    await setPolicy(stack, site, { monthly_budget: { article_credits: 1, crowdwork_dollars: null } })
    await newArticle(api, site, { ...PLANNED, title: 'First shed' })
    const id = await newArticle(api, site, { ...PLANNED, title: 'Second shed', scheduled_date: '2032-06-11T09:00' })
    const none = 'No article credit is left for 1 article with a date, from Fri 11 Jun 2032, 09:00 on.'
    const list = textOf(await person.get(`${at}/articles`))
    expect(list).toContain(none)
    expect(list).toMatch(/Second shed .*Planned.*Over the budget.*First shed/)
    expect(list).not.toMatch(/First shed .*Over the budget/)
    expect(textOf(await person.get(`${at}/calendar?month=2032-06`))).toContain(none)
    expect(textOf(await person.get(`${at}/articles/${id}`))).toContain(
      'the monthly budget of the site has no article credit left for it',
    )
  })

  it('are counted for all ticked articles together, as if they had their dates', async () => {
    const { api, person, site, at } = await owner()
    await setPolicy(stack, site, { monthly_budget: { article_credits: 2, crowdwork_dollars: null } })
    await newArticle(api, site, { ...PLANNED, title: 'Planned before', scheduled_date: '2032-08-01T09:00' })
    for (const title of ['One', 'Two', 'Three']) await newArticle(api, site, { title, content: '' })
    await newArticle(api, site, { title: 'Own', content: `<p>${'word '.repeat(400)}</p>` })
    const path = `${at}/bulk/dates`
    const form = formOn(await person.get(`${at}/articles?view=drafts&all=yes`), path)
    const asked = textOf(await person.post(path, { ...form, start: '2032-08-10', every: '1' }))
    expect(asked).toMatch(
      /3 have no text of yours, so the service writes them in the three days before the date\. This uses 1 article credit\. 30 are left this month/,
    )
    expect(asked).toContain('For 2 of them no article credit is left')
  })
})

/** Form of a page file that spends something: the page with it, its address, and the words beside it. */
type Spending = readonly [page: string, form: string, cost: RegExp]

type Places = { at: string; article: number; campaign: string }

/** Each operation that declares costs: its verb, and its form in each file of `src/pages` that calls the verb, or why there is none. */
const SPENT_BY: Record<
  string,
  { verb: string; forms: Record<string, (of: Places) => Spending> } | { verb: string; why: string }
> = {
  'articles.create': {
    verb: 'createArticle',
    forms: { 'site/plan.tsx': ({ at }) => [`${at}/plan`, `${at}/plan`, /uses 1 article credit/] },
  },
  'articles.update': {
    verb: 'editArticle',
    forms: {
      'site/article/pages.tsx': ({ at, article }) => {
        const page = `${at}/articles/${article}`
        return [page, `${page}/date`, /uses 1 article credit/]
      },
      'site/bulk/pages.tsx': ({ at }) => [`${at}/articles`, `${at}/bulk/dates`, /uses 1 article credit/],
    },
  },
  'articles.batch': {
    verb: 'startBatch',
    forms: { 'site/csv/pages.tsx': ({ at }) => [`${at}/import`, `${at}/import`, /uses 1 article credit/] },
  },
  'articles.generate': { verb: 'generateArticle', why: 'people plan an article instead' },
  'projects.create': {
    verb: 'createProject',
    forms: { 'site/setup.tsx': () => ['/setup', '/setup', /Uses 1 of the \d+ places? for sites/] },
  },
  'projects.onboarding': {
    verb: 'onboardProject',
    forms: { 'site/setup.tsx': ({ at }) => [`${at}/setup`, `${at}/setup/month`, /uses 1 article credit/] },
  },
  'projects.unarchive': {
    verb: 'unarchiveProject',
    forms: {
      'settings/projects.tsx': () => [
        '/settings/projects',
        '/settings/projects/unarchive',
        /Uses 1 of the \d+ places? for sites/,
      ],
    },
  },
  'projects.import': {
    verb: 'importProject',
    forms: {
      'settings/archives.tsx': () => [
        '/settings/archives',
        '/settings/archives/import',
        /Uses 1 of the \d+ places? for sites/,
      ],
    },
  },
  'provider_keys.save': {
    verb: 'saveProviderKey',
    forms: {
      'settings/provider-keys.tsx': () => ['/settings/provider-keys', '/settings/provider-keys', /which costs nothing/],
    },
  },
  'visibility.scan': {
    verb: 'startScan',
    forms: {
      'site/visibility/pages.tsx': ({ at }) => [
        `${at}/visibility`,
        `${at}/visibility/scan`,
        /Uses 1 of the 2 scans of today/,
      ],
    },
  },
  'crowdwork.create': { verb: 'createCampaign', why: 'agents begin campaigns; the page of an approval shows the cost' },
  'crowdwork.rate': {
    verb: 'rateSlot',
    forms: {
      'site/reach/campaign.tsx': ({ at, campaign }) => {
        const page = `${at}/crowdwork/${campaign}`
        return [page, `${page}/rate`, /Accept and pay \$0\.20/]
      },
    },
  },
  'keywords.search': { verb: 'searchKeywords', why: 'agents research keywords' },
  'screenshots.take': { verb: 'takeScreenshot', why: 'agents take screenshots' },
}

describe('a form of an operation that costs something', () => {
  let person: Visitor
  let api: Api
  let places: Places

  beforeAll(async () => {
    ;({ person, api } = await newOwner(stack, { plan: 'pro' }))
    const archived = await newProject(api)
    await api.post(`/projects/${archived}/archive`)
    const site = await newProject(api)
    const article = await newArticle(api, site, PLANNED)
    await api.post('/ai-visibility/prompts', { project_id: site, prompt: 'Who builds the best sheds?' })
    const made = await api.post('/crowdwork/campaigns', order(site, { payment_per_task: 0.2, available_positions: 3 }))
    const campaign = String(made.body.campaign_id)
    await work(stack, campaign)
    places = { at: `/p/${site}`, article, campaign }
  })

  it('is known for each file of a page that calls its verb', () => {
    const spending = OPERATIONS.filter(({ costs }) => costs !== undefined).map(({ id }) => id)
    expect(Object.keys(SPENT_BY).sort()).toEqual(spending.sort())
    const textsIn = (folder: string) =>
      globSync('**/*.{ts,tsx}', { cwd: join(ROOT, folder) }).map(
        (file) => [file, readFileSync(join(ROOT, folder, file), 'utf8')] as const,
      )
    const [pages, workers] = [textsIn('src/pages'), textsIn('functions')]
    for (const [id, one] of Object.entries(SPENT_BY)) {
      const callersIn = (texts: typeof pages) =>
        texts.filter(([, text]) => new RegExp(`\\b${one.verb}\\b`).test(text)).map(([file]) => file)
      expect(callersIn(workers), id).not.toEqual([])
      expect(callersIn(pages).sort(), id).toEqual('forms' in one ? Object.keys(one.forms).sort() : [])
    }
  })

  const forms = Object.entries(SPENT_BY).flatMap(([id, one]) =>
    'forms' in one ? Object.entries(one.forms).map(([file, of]) => [id, file, of] as const) : [],
  )
  it.each(forms)('%s in %s shows the cost before the click', async (_, __, of) => {
    const [page, form, cost] = of(places)
    const shown = await person.get(page)
    expect(() => formOn(shown, form)).not.toThrow()
    expect(textOf(shown)).toMatch(cost)
  })
})
