import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { UpdateProject } from '../../../src/accounts/projects/operations.ts'
import { SETTINGS } from '../../../src/accounts/projects/settings.ts'
import { groupsFor } from '../../../src/pages/site/settings/groups.ts'
import { newArticle, newProject, rowsIn } from '../../support/client.ts'
import { formOn, inviteTo, newOwner, type Shown, sure } from './browser.ts'

const DAY_MS = 86_400_000
/** Later than the writer begins: another test's clock would have it write the article. */
const IN_5_DAYS = new Date(Date.now() + 5 * DAY_MS).toISOString()

const stack = inject('stack')
const GROUPS = groupsFor('Galley')
const fieldsIn = (key: string) => GROUPS.find((group) => group.key === key)?.fields ?? []

/** Returns a person in an account with one site. */
const owner = async () => {
  const { api, person } = await newOwner(stack, { plan: 'pro' })
  const project = await newProject(api, { business_name: 'Pedal and Spoke' })
  const at = (group: string) => `/p/${project}/settings/${group}`
  const settings = async () => (await api.get(`/projects/${project}`)).body.settings as Record<string, unknown>
  const open = async (group: string) => formOn(await person.get(at(group)), at(group))
  return { api, person, project, at, settings, open }
}

/** Puts a planned article into the state it has while the writer writes it. */
const giveToWriter = (article: number) =>
  rowsIn(stack, sql`update articles set status = 'Generating', writing_started_at = now() where id = ${article}::int`)

const errorAt = (page: Shown, name: string) => new RegExp(`id="field-${name}-error">([^<]*)`).exec(page.text)?.[1]

describe('the groups of a site’s settings', () => {
  it('have each setting of the API once, with only the choices it accepts', () => {
    const names = GROUPS.flatMap(({ fields }) => fields.map(({ name }) => name))
    expect(names.toSorted()).toEqual(Object.keys(SETTINGS).toSorted())
    expect(GROUPS.map(({ key }) => key)).toEqual([
      'business',
      'writing',
      'images',
      'links',
      'publishing',
      'social',
      'research',
    ])
    for (const field of GROUPS.flatMap(({ fields }) => fields))
      for (const [value] of field.kind === 'choice' ? field.options : [])
        expect(UpdateProject.safeParse({ [field.name]: value }).success, `${field.name}: ${value}`).toBe(true)
  })

  it('show the saved value of every setting, as text to people who may not change it', async () => {
    const { api, person, project, at } = await owner()
    await api.put(`/projects/${project}`, { tone: 'Persuasive', table_of_contents: true, banned_phrases: ['a', 'b'] })
    for (const { key, fields } of GROUPS) {
      const { text } = await person.get(at(key))
      for (const { name } of fields) expect(text, name).toContain(`name="${name}"`)
    }
    const { text } = await person.get(at('writing'))
    expect(text).toMatch(/<option value="Persuasive" selected/)
    expect(text).toMatch(/name="table_of_contents"[^>]* checked/)
    expect(text).toMatch(/name="banned_phrases"[^>]*>a\nb<\/textarea>/)
    const { person: client } = await inviteTo(stack, person, 'client', project)
    const shown = await client.get(at('writing'))
    expect(shown.text).toContain('Persuasive: leads to a decision by reasons')
    expect(shown.text).not.toMatch(/<textarea|name="version"/)
  })
})

describe('saving a group', () => {
  it.each<[group: string, typed: Record<string, string>, saved: Record<string, unknown>]>([
    [
      'business',
      {
        business_name: ' Spoke & Sons ',
        business_aliases: 'Spoke, Inc.\r\n\r\nPedal\r\nPedal',
        business_description: 'Repairs.\r\nBikes.',
      },
      {
        business_name: 'Spoke & Sons',
        business_aliases: ['Spoke, Inc.', 'Pedal'],
        business_description: 'Repairs.\nBikes.',
      },
    ],
    [
      'writing',
      { language: 'fr-CA', tone: 'Conversational', first_person_writing: 'yes' },
      {
        language: 'French (CA)',
        tone: 'Conversational',
        first_person_writing: true,
        // Nothing is sent for a switch that is off.
        avoid_formulaic_section_endings: false,
      },
    ],
    [
      'images',
      { brand_color: '#1a2b3c', image_hosting: 'CMS', image_style: 'flat', videos_enabled: 'yes' },
      { brand_color: '#1a2b3c', image_hosting: 'CMS', image_style: 'flat', videos_enabled: true },
    ],
    [
      'links',
      {
        content_pillars: 'https://one.example/a\nhttps://one.example/b',
        internal_links_per_article: '5',
        backlinks_network: 'yes',
      },
      {
        content_pillars: ['https://one.example/a', 'https://one.example/b'],
        internal_links_per_article: 5,
        backlinks_network: true,
      },
    ],
    [
      'publishing',
      { publish_time: '07:30', timezone: 'europe/paris', publishing_status: 'Send as Drafts' },
      { publish_time: '07:30', timezone: 'Europe/Paris', publishing_status: 'Send as Drafts' },
    ],
    [
      'social',
      { crowdwork_budget: '99.50', social_media_publishing_status: 'Publish Immediately' },
      { crowdwork_budget: 99.5, social_media_publishing_status: 'Publish Immediately' },
    ],
    [
      'research',
      { keyword_region: 'Germany', competitors: 'https://www.Rival.example/x\nother.example' },
      { keyword_region: 'Germany', competitors: ['rival.example', 'other.example'], weekly_suggestions: false },
    ],
  ])('%s: each kind of field is saved as the API shows it, and nothing else changes', async (group, typed, saved) => {
    const { person, at, settings, open } = await owner()
    const [before, form] = [await settings(), await open(group)]
    const switches = fieldsIn(group).filter(({ kind }) => kind === 'switch')
    for (const { name } of switches) delete form[name]
    const page = await person.post(at(group), { ...form, ...typed })
    expect([page.url, page.text.includes('Saved.')]).toEqual([stack.url + at(group), true])
    const off = Object.fromEntries(switches.map(({ name }) => [name, false]))
    expect(await settings()).toEqual({ ...before, ...off, ...saved })
  })

  it('an emptied text is cleared, and a save without a difference changes nothing', async () => {
    const { api, person, project, at, settings, open } = await owner()
    await api.put(`/projects/${project}`, { image_style: 'flat', image_prompt_instructions: 'no text' })
    const form = await open('images')
    await person.post(at('images'), { ...form, image_style: '', image_prompt_instructions: ' ' })
    expect(await settings()).toMatchObject({ image_style: null, image_prompt_instructions: '' })
    const log = async () => (await api.get('/audit-log?action=project.update')).body.entries
    const entries = await log()
    const again = await person.post(at('images'), await open('images'))
    expect(again.text).toContain('Nothing was changed.')
    expect(await log()).toEqual(entries)
  })

  it('a change of time zone or publishing time says how many dates moved', async () => {
    const { api, person, project, at, open } = await owner()
    const plan = () => newArticle(api, project, { status: 'Planned', scheduled_date: IN_5_DAYS.slice(0, 10) })
    const [, writing] = [await plan(), await plan()]
    await giveToWriter(writing)
    const page = await person.post(at('publishing'), { ...(await open('publishing')), timezone: 'Asia/Tokyo' })
    expect(page.text).toContain('Saved. 2 planned articles with a day but no time moved with it.')
  })

  it('asks with a count before planned articles stop going live', async () => {
    const { api, person, project, at, settings, open } = await owner()
    await giveToWriter(await newArticle(api, project, { status: 'Planned', scheduled_date: IN_5_DAYS }))
    const form = { ...(await open('publishing')), publishing_status: 'Save as Drafts' }
    const asked = await person.post(at('publishing'), form)
    expect(asked.text).toContain('1 planned article will not go live on its date any more')
    expect(await settings()).toMatchObject({ publishing_status: 'Publish Immediately' })
    expect((await sure(person, at('publishing'), form)).text).toContain('Saved.')
    expect(await settings()).toMatchObject({ publishing_status: 'Save as Drafts' })
    expect((await person.get(`/p/${project}/calendar`)).text).toContain('On their date they become drafts here')
  })
})

describe('a form that cannot be saved', () => {
  it.each<[group: string, name: string, typed: string, sentence: string]>([
    ['business', 'business_name', 'x'.repeat(501), 'Must have at most 500 characters.'],
    ['business', 'business_name', 'a\u0007b', 'It has characters that no text may have.'],
    ['writing', 'language', 'Klingon', 'Articles are not written in a language of this name. Choose one of the list.'],
    ['writing', 'tone', 'Loud', 'Choose one of the list.'],
    ['images', 'image_hosting', 'Elsewhere', 'Choose one of the list.'],
    ['images', 'brand_color', 'red', 'That is not a colour.'],
    ['links', 'sitemap_url', 'not an address', 'That is not an address: write it with https:// and without spaces.'],
    ['links', 'sitemap_url', 'http://[fe80::1]/sitemap.xml', 'This address cannot be reached from outside.'],
    [
      'links',
      'content_pillars',
      'https://fine.example/a\n/wrong',
      '“/wrong” is not an address: write it with https:// and without spaces.',
    ],
    ['links', 'internal_links_per_article', '9', 'Type a whole number from 1 to 5.'],
    ['publishing', 'publish_time', '25:00', 'Type a time such as 09:00.'],
    ['publishing', 'timezone', 'Europe/Pariss', 'No time zone has this name. Write it like Europe/Paris.'],
    ['social', 'crowdwork_budget', '1.234', 'Type dollars such as 120 or 99.50, or nothing.'],
    ['research', 'keyword_region', 'Germny', 'No country has this name. Did you mean Germany?'],
    ['research', 'keyword_region', '', 'No country has this name.'],
    ['research', 'competitors', 'rival', '“rival” is not a domain: write it like example.com.'],
  ])('%s: %s is shown beside the field, the input stays, and nothing changes', async (group, name, typed, sentence) => {
    const { person, at, settings, open } = await owner()
    const [before, form] = [await settings(), await open(group)]
    const other = fieldsIn(group).find((field) => field.kind === 'text' && field.name !== name)
    const page = await person.post(at(group), { ...form, [name]: typed, ...(other && { [other.name]: 'Kept words' }) })
    expect(page.status).toBe(400)
    expect(errorAt(page, name)).toBe(sentence)
    expect(page.text).toMatch(new RegExp(`<[^>]*name="${name}"[^>]*aria-invalid="true"`))
    if (!['tone', 'image_hosting', 'business_name'].includes(name)) expect(page.text).toContain(typed)
    if (other) expect(page.text).toContain('Kept words')
    expect(page.text).toContain('Nothing was saved. See the marked fields.')
    expect(await settings()).toEqual(before)
  })

  it('is shown again with the saved values if another person changed the group', async () => {
    const { api, person, project, at, settings, open } = await owner()
    const form = { ...(await open('research')), keyword_region: 'France', weekly_suggestions: 'yes' }
    await api.put(`/projects/${project}`, { keyword_region: 'Spain', tone: 'Persuasive' })
    const refused = await person.post(at('research'), form)
    expect(refused.status).toBe(412)
    expect(refused.text).toContain('Saved meanwhile: Spain')
    expect(await settings()).toMatchObject({ keyword_region: 'Spain' })
    const again = { ...formOn(refused, at('research')), keyword_region: 'France' }
    expect((await person.post(at('research'), again)).text).toContain('Saved.')
    expect(await settings()).toMatchObject({ keyword_region: 'France' })
  })

  it('a change of another group does not matter', async () => {
    const { api, person, project, at, settings, open } = await owner()
    const form = { ...(await open('research')), keyword_region: 'France' }
    await api.put(`/projects/${project}`, { tone: 'Persuasive' })
    expect((await person.post(at('research'), form)).text).toContain('Saved.')
    expect(await settings()).toMatchObject({ keyword_region: 'France', tone: 'Persuasive' })
  })

  it('from an editor, from another account, or for a group that does not exist changes nothing', async () => {
    const { person, project, at, settings, open } = await owner()
    const form = { ...(await open('research')), keyword_region: 'France' }
    const before = await settings()
    const { person: editor } = await inviteTo(stack, person, 'editor', project)
    const { person: other } = await newOwner(stack)
    expect((await editor.post(at('research'), form)).status).toBe(403)
    expect((await editor.post(at('publishing/articles'), { plan: '30' })).status).toBe(403)
    for (const path of [at('research'), at('publishing/articles')])
      expect((await other.post(path, { ...form, plan: '30' })).status).toBe(404)
    expect((await other.get(at('research'))).status).toBe(404)
    expect((await person.post(at('elsewhere'), form)).status).toBe(404)
    expect(await settings()).toEqual(before)
  })
})

it('the number of articles a month is chosen among what the plan includes', async () => {
  const { api, person, project, at } = await owner()
  const plan = async () => ((await api.get(`/projects/${project}`)).body.project as { ArticlePlan: number }).ArticlePlan
  expect((await person.post(at('publishing/articles'), { plan: '8' })).text).toContain('Saved.')
  expect(await plan()).toBe(8)
  expect((await person.post(at('publishing/articles'), { plan: '90' })).text).toContain('not included')
  expect((await person.post(at('publishing/articles'), { plan: '7' })).text).toContain('Choose one of the list.')
  expect(await plan()).toBe(8)
})

describe('setting up', () => {
  it('saves only corrected fields, so that the site scan can fill the others', async () => {
    const { api, person, project } = await owner()
    const at = `/p/${project}/setup/business`
    const form = formOn(await person.get(`/p/${project}/setup`), at)
    const page = await person.post(at, { ...form, business_description: '', language: 'German' })
    expect(page.text).toContain('Saved.')
    expect((await api.get('/audit-log?action=project.update')).body.entries).toMatchObject([
      { detail: { fields: ['language'] } },
    ])
  })

  it('says what to do if the site cannot be read before a month is planned', async () => {
    const { person, project } = await owner()
    const page = await person.post(`/p/${project}/setup/month`, {})
    expect(page.text).toContain('Say below what the business does, then try again.')
  })
})
