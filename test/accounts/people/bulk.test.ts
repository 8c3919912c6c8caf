import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { type Api, connectReceiver, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { publishedArticle } from '../../support/story.ts'
import { setPolicy } from '../policy/set.ts'
import { formOn, inviteTo, newOwner, textOf, type Visitor } from './browser.ts'

const stack = inject('stack')

/** Returns a person in an account with one site, which may be connected. */
const owner = async ({ isConnected = false } = {}) => {
  const { api, person } = await newOwner(stack)
  const site = await newProject(api, { timezone: 'Europe/Paris', publish_time: '08:30' })
  if (isConnected) await connectReceiver(api, site, stack.receiverUrl, stack.receiverToken)
  return { api, person, site, at: `/p/${site}` }
}

/** Returns the form of the list with every article ticked. */
const ticked = async (person: Visitor, at: string, fields: Record<string, string> = {}) => ({
  ...formOn(await person.get(`${at}/articles?all=yes`), `${at}/bulk/dates`),
  ...fields,
})

/** Returns the form of the page that asks, and that page's text. */
const asked = async (person: Visitor, path: string, fields: Record<string, string>) => {
  const page = await person.post(path, fields)
  return { said: textOf(page), form: page.text.includes('name="confirm"') ? formOn(page, path) : {} }
}

const shown = async (api: Api, id: number) => (await api.get(`/articles/${id}`)).body

const sentOf = async (api: Api): Promise<number[]> =>
  ((await api.get('/webhook-deliveries')).body.deliveries as { article_id: number }[]).map(
    ({ article_id }) => article_id,
  )

describe('articles of the list', () => {
  it('are published once by two clicks, and those that cannot be are left alone by count', async () => {
    const { api, person, site, at } = await owner({ isConnected: true })
    const live = await publishedArticle(api, site, { title: 'Out already' })
    const writing = await newArticle(api, site, { title: 'Under the pen' })
    await rowsIn(stack, sql`update articles set status = 'Generating' where id = ${writing}::int`)
    await newArticle(api, site, { title: 'A blank page', content: '' })
    const drafts = [await newArticle(api, site), await newArticle(api, site)]
    const path = `${at}/bulk/publish`
    const { said, form } = await asked(person, path, await ticked(person, at, { view: 'drafts' }))
    for (const sentence of [
      '2 drafts are published now.',
      '1 is being written and is left alone.',
      '1 is published already and is left alone.',
      '1 has no text and is left alone.',
      `They go to ${new URL(stack.receiverUrl).host}, one after the other`,
    ])
      expect(said).toContain(sentence)
    expect(await sentOf(api)).toEqual([live])
    const ends = await Promise.all([1, 2].map(() => person.post(path, form, { follow: false })))
    expect(ends.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [303, `${at}/articles?view=drafts`],
      [303, `${at}/articles?view=drafts`],
    ])
    expect((await sentOf(api)).sort()).toEqual([live, ...drafts].sort())
    for (const id of drafts) expect(await shown(api, id)).toMatchObject({ Status: 'Published' })
    expect(textOf(await person.post(path, form))).toContain('This was sent twice, and is done once.')
  })

  it('get dates one after the other in the site’s time zone; a changed article is left alone', async () => {
    const { api, person, site, at } = await owner()
    const first = await newArticle(api, site, { title: 'First' })
    const second = await newArticle(api, site, { title: 'Second' })
    const third = await newArticle(api, site, { title: 'Third', status: 'Planned', scheduled_date: '2031-01-01T09:00' })
    const path = `${at}/bulk/dates`
    const fields = await ticked(person, at, { start: '2031-03-27', every: '3' })
    const { said, form } = await asked(person, path, fields)
    expect(said).toContain('2 drafts get a date. 1 article has a date and gets another one.')
    expect(said).toContain('times in Paris')
    expect(said).toContain('Second Sun 30 Mar 2031, 08:30')
    expect((await api.put(`/articles/${second}`, { title: 'Second thoughts' })).status).toBe(200)
    const done = await person.post(path, form)
    expect(textOf(done)).toContain(
      '2 articles have their dates. 1 was left alone: Second thoughts : It was changed since you opened the list.',
    )
    expect(done.text).toContain(`<a href="${at}/articles/${second}"`)
    // Clocks go forward in Paris on 30 March 2031.
    expect([await shown(api, first), await shown(api, second), await shown(api, third)]).toMatchObject([
      { Status: 'Planned', ScheduledAt: '2031-03-27T07:30:00.000Z' },
      { Status: 'Draft', ScheduledAt: null },
      { Status: 'Planned', ScheduledAt: '2031-04-02T06:30:00.000Z' },
    ])
    expect(textOf(await person.get(done.url))).not.toContain('2 articles have their dates')
    const stale = await asked(person, path, fields)
    expect(stale.said).toContain('3 were left alone:')
  })

  it('get dates by the site’s article plan, without those of other articles', async () => {
    const { api, person, site, at } = await owner()
    await rowsIn(stack, sql`update projects set article_plan = 8 where id = ${site}::int`)
    const draft = (title: string) => newArticle(api, site, { title })
    const [first, second] = [await draft('First'), await draft('Second')]
    const writing = await newArticle(api, site, {
      title: 'Under the pen',
      status: 'Planned',
      scheduled_date: '2031-03-29T08:30',
    })
    await rowsIn(stack, sql`update articles set status = 'Generating' where id = ${writing}::int`)
    const path = `${at}/bulk/dates`
    const fields = await ticked(person, at, { start: '2031-03-26', by: 'plan' })
    expect((await person.get(`${at}/articles`)).text).toMatch(/name="by" value="plan"/)
    const { said, form } = await asked(person, path, fields)
    // A plan of eight has a date every 3.75 days; the second is that of the article that is being written.
    expect(said).toContain('These are the days of 8 articles a month. Times of other articles stay theirs.')
    expect(said).toContain('First Wed 26 Mar 2031, 08:30 Second Wed 2 Apr 2031, 08:30')
    expect(said).toContain('Left alone Under the pen It is being written.')
    expect(textOf(await person.post(path, form))).toContain('2 articles have their dates.')
    expect([await shown(api, first), await shown(api, second)]).toMatchObject([
      { Status: 'Planned', ScheduledAt: '2031-03-26T07:30:00.000Z' },
      { Status: 'Planned', ScheduledAt: '2031-04-02T06:30:00.000Z' },
    ])
  })

  it('can be deleted by owners and members, never those of another account', async () => {
    const { api, person, site, at } = await owner()
    const other = await owner()
    const mine = await newArticle(api, site, { title: 'To go', status: 'Planned', scheduled_date: '2031-01-01T09:00' })
    const theirs = await newArticle(other.api, other.site, { title: 'Not yours' })
    const { person: editor } = await inviteTo(stack, person, 'editor', site)
    const path = `${at}/bulk/delete`
    const fields = await ticked(person, at)
    expect((await editor.post(path, await ticked(editor, at))).status).toBe(403)
    expect((await editor.get(`${at}/articles`)).text).not.toContain('bulk/delete')
    const version = formOn(await other.person.get(`${other.at}/articles?all=yes`), `${other.at}/bulk/dates`)
    const { said, form } = await asked(person, path, { ...fields, ...version })
    expect(said).toContain(
      '1 planned article is deleted and does not go out. 1 is not here any more and is left alone.',
    )
    expect(said).not.toContain('Not yours')
    // Nor by adding it to the form of the page that asks.
    const added = await person.post(path, { ...form, ...version })
    expect([added.status, added.text.includes('name="confirm"')]).toEqual([200, true])
    expect((await api.get(`/articles/${mine}`)).status).toBe(200)
    expect(textOf(await person.post(path, form))).toContain('1 article is deleted.')
    expect((await api.get(`/articles/${mine}`)).status).toBe(404)
    expect(await shown(other.api, theirs)).toMatchObject({ Title: 'Not yours' })
  })

  it('wait for approval if an editor changes them and the policy requires it', async () => {
    const { api, person, site, at } = await owner({ isConnected: true })
    await setPolicy(stack, site, { needs_approval: 'every' })
    const article = await newArticle(api, site)
    const { person: editor } = await inviteTo(stack, person, 'editor', site)
    const path = `${at}/bulk/publish`
    const { form } = await asked(editor, path, await ticked(editor, at))
    expect(textOf(await editor.post(path, form))).toContain('1 waits until a person has approved it.')
    expect([(await shown(api, article)).PublishState, await sentOf(api)]).toEqual(['awaiting_approval', []])
  })

  it('count like single actions; articles beyond a minute’s limit are left alone', async () => {
    const minuteNow = () => Math.floor(Date.now() / 60_000)
    // Two minutes have acts of their own, so all is sent within one.
    for (let tries = 1; ; tries += 1) {
      expect(tries).toBeLessThan(5)
      const { api, person, site, at } = await owner()
      const articles = [await newArticle(api, site), await newArticle(api, site), await newArticle(api, site)]
      const path = `${at}/bulk/delete`
      const { form } = await asked(person, path, await ticked(person, at))
      const minute = minuteNow()
      const act = () => person.post(`${at}/articles/${articles[0]}/sync`, {}, { follow: false })
      await Promise.all(Array.from({ length: 28 }, act))
      const said = textOf(await person.post(path, form))
      if (minute !== minuteNow()) continue
      expect(said).toContain('2 articles are deleted. 1 was left alone:')
      expect(said).toContain('These were too many for one minute.')
      expect((await shown(api, articles[2] ?? 0)).Status).toBe('Draft')
      break
    }
  })

  it('need a selection, a future day and a connected site', async () => {
    const { api, person, site, at } = await owner()
    const article = await newArticle(api, site)
    const fields = await ticked(person, at)
    const refused = async (action: string, given: Record<string, string>) =>
      (await asked(person, `${at}/bulk/${action}`, given)).said
    expect(await refused('delete', {})).toContain('Tick the articles first. Nothing was changed.')
    expect(await refused('publish', fields)).toContain('Nothing is connected to publish to.')
    for (const start of ['', '2031-02-30', 'soon', '9999-12-31'])
      expect(await refused('dates', { ...fields, start }), start).toContain('Choose the day of the first date.')
    for (const by of ['', 'plan'])
      expect(await refused('dates', { ...fields, by, start: '2020-01-01' })).toContain('The first date has passed.')
    for (const every of ['', '0', '91', '1.5'])
      expect(await refused('dates', { ...fields, every }), every).toContain('The days between two dates are 1 to 90.')
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`a${n + 1}`, 'x']))
    expect(await refused('delete', many)).toContain('Tick at most 50 articles at once.')
    expect(await shown(api, article)).toMatchObject({ Status: 'Draft', ScheduledAt: null })
    expect((await person.get(`${at}/bulk/dates`)).url).toContain(`${at}/articles`)
  })

  it('are found by their dates', async () => {
    const { api, person, site, at } = await owner()
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    for (const days of [3, 20, 60])
      await newArticle(api, site, { title: `In ${days} days`, status: 'Planned', scheduled_date: inDays(days) })
    const found = async (when: string) =>
      (await person.get(`${at}/articles?when=${when}&view=planned`)).text.match(/In \d+ days(?=\s*<\/a>)/g)
    expect(await found('week')).toEqual(['In 3 days'])
    expect(await found('month')).toEqual(['In 20 days', 'In 3 days'])
    expect(await found('')).toHaveLength(3)
  })
})
