import { describe, expect, inject, it } from 'vitest'
import { foldEqual } from '../../../src/pages/settings/audit-log.tsx'
import { connectReceiver, newArticle, newProject } from '../../support/client.ts'
import { publishedArticle } from '../../support/story.ts'
import { formOn, newOwner, textOf, type Visitor } from './browser.ts'

const stack = inject('stack')
const UNDO = '/settings/audit/undo'

/** Presses the newest “Undo” of the log, and returns the page that asks. */
const press = async (person: Visitor) => await person.post(UNDO, formOn(await person.get('/settings/audit'), UNDO))

describe('own changes', () => {
  it('are undone from the audit log, after the page has said what happens', async () => {
    const { api, person } = await newOwner(stack)
    const site = await newProject(api)
    const id = await newArticle(api, site, { title: 'First title', content: '<p>One</p>' })
    const at = `/p/${site}/articles/${id}`
    const form = formOn(await person.get(`${at}/edit`), at)
    await person.post(at, { ...form, title: 'Second title' })
    expect((await api.get(`/articles/${id}`)).body.Title).toBe('Second title')
    const asked = await press(person)
    expect(textOf(asked)).toContain('Undo this?')
    expect(textOf(asked)).toMatch(/Changed an article, .*Second title.* Can be undone\./)
    expect((await api.get(`/articles/${id}`)).body.Title).toBe('Second title')
    const done = await person.post(UNDO, formOn(asked, UNDO))
    expect(textOf(done)).toContain('It has its earlier fields again.')
    expect((await api.get(`/articles/${id}`)).body.Title).toBe('First title')
  })

  it('of a key can be undone too; what cannot be undone says why and has no button', async () => {
    const { api, person } = await newOwner(stack)
    const site = await newProject(api)
    await connectReceiver(api, site, stack.receiverUrl, stack.receiverToken)
    const id = await publishedArticle(api, site)
    const asked = await press(person)
    expect(textOf(asked)).toContain('This cannot be undone')
    expect(asked.text).not.toContain('Undo it')
    expect(textOf(asked)).not.toMatch(/POST|\/articles|webhook-deliveries/)
    expect((await api.get(`/articles/${id}`)).body.Status).toBe('Published')
  })

  it('need a request that is stored, of this account', async () => {
    const [{ person }, other] = await Promise.all([newOwner(stack), newOwner(stack)])
    const site = await newProject(other.api)
    await newArticle(other.api, site)
    const form = formOn(await other.person.get('/settings/audit'), UNDO)
    for (const fields of [form, { request: '' }, { request: 'x'.repeat(900) }, { request: 'a', key: '-1' }])
      expect([403, 404]).toContain((await person.post(UNDO, fields)).status)
    expect((await person.get(UNDO)).url).toContain('/settings/audit')
  })
})

describe('the audit log', () => {
  it('names things by their titles, those in the bin too, and their sites if there are several', async () => {
    const { api, person } = await newOwner(stack)
    const [site, other] = [
      await newProject(api, { business_name: 'North' }),
      await newProject(api, { business_name: 'South' }),
    ]
    await newArticle(api, site, { title: 'A kept one' })
    const gone = await newArticle(api, other, { title: 'A thrown one' })
    await api.del(`/articles/${gone}`)
    const text = textOf(await person.get('/settings/audit'))
    expect(text).toMatch(/Made an article : article \d+: A kept one North/)
    expect(text).toContain(`Put an article into the bin : article ${gone}, in the bin: A thrown one`)
  })

  it('folds equal entries that follow each other', () => {
    const entry = (action: string, at: string) =>
      ({ id: 1, action, at, subject: 'article:1', actor: 'key:1' }) as Parameters<typeof foldEqual>[0][number]
    const folds = foldEqual([entry('b', '9'), entry('a', '8'), entry('a', '7'), entry('a', '6'), entry('b', '5')])
    expect(folds.map(({ entry: one, count, since }) => [one.action, one.at, count, since])).toEqual([
      ['b', '9', 1, '9'],
      ['a', '8', 3, '6'],
      ['b', '5', 1, '5'],
    ])
  })
})

it('the menu has what everybody uses first, and extras last', async () => {
  const { api, person } = await newOwner(stack)
  const site = await newProject(api)
  const { text } = await person.get(`/p/${site}`)
  const menu = text.slice(text.indexOf('aria-label="Main"'), text.indexOf('</nav>'))
  expect([...menu.matchAll(/<ul aria-label="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    'Content',
    'Results',
    'This site',
    'Extras',
    'Account',
  ])
  const extras = menu.slice(menu.indexOf('aria-label="Extras"'), menu.indexOf('aria-label="Account"'))
  for (const name of ['Reviews', 'Backlinks', 'Crowdwork']) expect(extras).toContain(name)
})
