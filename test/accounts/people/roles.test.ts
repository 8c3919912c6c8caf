import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { flush, openScene, write } from '../../publishing/scene.ts'
import { clientOf, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { changesSince, newThings, stateOf } from '../../support/contract.ts'
import { setPolicy } from '../policy/set.ts'
import { formOn, inviteTo, mailsTo, mailTo, newEmail, newOwner, signInAsOwner, sure, type Visitor } from './browser.ts'
import { FOR } from './role-table.ts'

const stack = inject('stack')
const PEOPLE = '/settings/people'

/** Returns the id of a person on the page of people, by address. */
const idOn = async (owner: Visitor, email: string): Promise<string> => {
  const rows = (await owner.get(PEOPLE)).text.split('<tr>').slice(1)
  return /name="person" value="([^"]+)"/.exec(rows.find((one) => one.includes(email)) ?? '')?.[1] ?? ''
}

describe('an editor and a client of one site', () => {
  it.each(['editor', 'client'] as const)('%s: see and change nothing of another site of the account', async (role) => {
    const { api, person: owner } = await newOwner(stack)
    const mine = await newProject(api, { business_name: 'Pedal and Spoke' })
    const theirs = await newThings(api, stack)
    await api.put(`/projects/${theirs.project}`, { business_name: 'Hidden Garden' })
    const { person } = await inviteTo(stack, owner, role, mine)
    const before = await stateOf(stack, api.accountId)
    const idOf: Record<string, unknown> = { ...theirs, revision: 1, group: 'writing' }
    const routes = Object.keys(FOR).filter((route) => route.includes(' /p/:site'))
    const seen: string[] = []
    for (const route of routes) {
      const [method, pattern = ''] = route.split(' ')
      const ofTheirs = pattern.replaceAll(/:(\w+)/g, (_, name) => String(idOf[name === 'site' ? 'project' : name]))
      const mixed = ofTheirs.replace(/^\/p\/\d+/, `/p/${mine}`)
      const ask = (path: string) =>
        method === 'GET' ? person.get(path) : person.post(path, { title: 'Taken', at: '2031-01-01T09:00' })
      expect((await ask(ofTheirs)).status, `${method} ${ofTheirs}`).toBe(404)
      const isOfThing = /:(article|approval|suggestion|delivery|post|campaign|change_set|statement)/.test(pattern)
      if (!isOfThing && method === 'POST') continue
      const answer = await ask(mixed)
      const mayAsk = FOR[route]?.includes(role.charAt(0))
      expect(answer.status, `${method} ${mixed}`).toBe(mayAsk ? (isOfThing ? 404 : 200) : 403)
      if (/Hidden Garden|Sheds|\/p\/\d+/.test(answer.text.replaceAll(`/p/${mine}`, ''))) seen.push(mixed)
    }
    for (const path of ['/sites', '/p', '/settings', '/settings/notices', '/settings/sessions', '/settings/keys'])
      if (/Hidden Garden/.test((await person.get(path)).text)) seen.push(path)
    for (const q of ['hidden', 'keyword']) {
      const path = `/sites/find?q=${q}&site=${theirs.project}`
      expect((await owner.get(path)).text, path).toContain(`/p/${theirs.project}`)
      if ((await person.get(path)).text.includes(`/p/${theirs.project}`)) seen.push(path)
    }
    expect(seen).toEqual([])
    expect(await changesSince(before, stack, api.accountId)).toEqual([])
  })

  it('have a menu of the pages they may open, and elsewhere read that an owner can help', async () => {
    const { api, person: owner } = await newOwner(stack)
    const site = await newProject(api, { business_name: 'Pedal and Spoke' })
    const { person: editor } = await inviteTo(stack, owner, 'editor', site)
    const { person: client } = await inviteTo(stack, owner, 'client', site)
    const linksOf = async (person: Visitor, path: string) =>
      [...(await person.get(path)).text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
    expect(await linksOf(editor, `/p/${site}/articles`)).toContain(`/p/${site}/plan`)
    expect(await linksOf(client, `/p/${site}/articles`)).not.toContain(`/p/${site}/plan`)
    for (const person of [editor, client]) {
      const [page, settings] = [await linksOf(person, `/p/${site}`), await linksOf(person, '/settings')]
      expect(page).toContain(`/p/${site}/approvals`)
      expect(
        [...page, ...settings].filter((href) => /integrations|settings\/social|setup|\/keys|billing/.test(href)),
      ).toEqual([])
      expect(settings).toEqual(expect.arrayContaining(['/settings/sessions', '/settings/notices']))
      expect((await person.get('/p')).url).toBe(`${stack.url}/p/${site}`)
      const refused = await person.get('/settings/keys')
      expect([refused.status, refused.text.includes('Ask an owner')]).toEqual([403, true])
      expect((await person.get(`/p/${site}/policy`)).text).not.toContain('Save the policy')
    }
  })

  it('see nothing of a site that is archived until it is brought back, and may leave', async () => {
    const { api, person: owner } = await newOwner(stack)
    const site = await newProject(api)
    await newProject(api)
    const { person: client, email } = await inviteTo(stack, owner, 'client', site)
    await api.post(`/projects/${site}/archive`)
    expect((await client.get(`/p/${site}`)).status).toBe(404)
    expect((await client.get('/p')).text).toContain('The site that you work on is archived')
    await api.post(`/projects/${site}/unarchive`)
    expect((await client.get('/p')).url).toBe(`${stack.url}/p/${site}`)
    const leaving = formOn(await client.get('/settings'), `${PEOPLE}/remove`)
    await sure(client, `${PEOPLE}/remove`, leaving)
    expect((await client.get(`/p/${site}`)).status).toBe(404)
    expect((await owner.get(PEOPLE)).text).not.toContain(email)
  })
})

describe('what needs approval', () => {
  it('is requested by an editor, decided by the client, who gets a mail, and goes out', async () => {
    const scene = await openScene(stack, { publishing_status: 'Publish Immediately' })
    const { person: owner } = await signInAsOwner(stack, scene.api)
    const other = await newProject(scene.api)
    const [editor, client, outsider] = [
      await inviteTo(stack, owner, 'editor', scene.projectId),
      await inviteTo(stack, owner, 'client', scene.projectId),
      await inviteTo(stack, owner, 'client', other),
    ]
    await setPolicy(stack, scene.projectId, { needs_approval: 'every' })
    const article = await write(scene, { title: 'Chains wear out' })
    const asked = await sure(editor.person, `/p/${scene.projectId}/articles/${article}/publish`, {})
    expect(asked.text).toContain('goes out once a person has approved it')
    expect(await scene.deliveries(article)).toEqual([])
    await flush(stack, true)
    const mail = await mailTo(stack.mailUrl, client.email, /^Approval wanted/)
    const pathname = /\/p\/\d+\/approvals\/\d+/.exec(mail.text)?.[0] ?? ''
    expect((await editor.person.get(pathname)).text).not.toContain('value="approve"')
    expect((await editor.person.post(`${pathname}/decide`, { decision: 'approve' })).status).toBe(403)
    expect((await outsider.person.get(pathname)).status).toBe(404)
    expect((await client.person.get(pathname)).text).toContain('value="approve"')
    await client.person.post(`${pathname}/decide`, { decision: 'approve', comment: 'Go.' })
    await flush(stack, true)
    expect(await scene.article(article)).toMatchObject({ Status: 'Published' })
    expect((await owner.get(pathname)).text).toContain(`<dd dir="auto">${client.email}</dd>`)
    expect(
      [await mailsTo(stack.mailUrl, outsider.email), await mailsTo(stack.mailUrl, editor.email)].map((mails) =>
        mails.filter(({ subject }) => /approval/i.test(subject)),
      ),
    ).toEqual([[], []])
    // Without such a policy an editor publishes like anybody.
    await setPolicy(stack, scene.projectId)
    const free = await write(scene, { title: 'Pumps' })
    const out = await sure(editor.person, `/p/${scene.projectId}/articles/${free}/publish`, {})
    expect(out.text).toContain('Published.')
    await scene.receiver.close()
  })
})

describe('the role of a person', () => {
  it('is changed by an owner; a member who becomes a client loses keys and applications', async () => {
    const { api, person: owner, email: first } = await newOwner(stack)
    const [site, other] = [await newProject(api), await newProject(api, { business_name: 'Other' })]
    await newArticle(api, other, { title: 'Elsewhere', status: 'Planned', scheduled_date: '2031-05-01' })
    const { person, email } = await inviteTo(stack, owner, 'member')
    const made = await person.post('/settings/keys', { name: 'Mine', scope: 'write', days: '30' })
    const key = clientOf(stack.url, /gly_live_\w{38}/.exec(made.text)?.[0] ?? '', api.accountId)
    expect((await key.get('/projects')).status).toBe(200)
    const feed =
      /(\/p\/\d+\/calendar\.ics\?key=[^<]+)</.exec((await person.get(`/p/${other}/calendar`)).text)?.[1] ?? ''
    expect((await fetch(stack.url + feed)).status).toBe(200)
    const id = await idOn(owner, email)
    const role = (fields: Record<string, string>) => owner.post(`${PEOPLE}/role`, { person: id, ...fields })
    expect((await role({ role: 'client' })).status).toBe(400)
    const outsider = await newOwner(stack)
    const foreign = await newProject(outsider.api)
    expect((await role({ role: 'client', project: String(foreign) })).status).toBe(400)
    expect((await key.get('/projects')).status).toBe(200)
    expect((await role({ role: 'client', project: String(site) })).text).toContain('Saved.')
    expect((await key.get('/projects')).status).toBe(401)
    expect((await fetch(stack.url + feed)).status).toBe(404)
    expect([(await person.get(`/p/${site}`)).status, (await person.get(`/p/${other}`)).status]).toEqual([200, 404])
    expect((await person.post('/settings/keys', { name: 'x', scope: 'read', days: '30' })).status).toBe(403)
    await role({ role: 'editor', project: String(other) })
    expect((await owner.get(PEOPLE)).text).toContain('editor of Other: works on the articles of one site')
    expect([(await person.get(`/p/${site}`)).status, (await person.get(`/p/${other}`)).status]).toEqual([404, 200])
    const me = await idOn(owner, first)
    const last = await owner.post(`${PEOPLE}/role`, { person: me, role: 'client', project: String(site) })
    expect(last.status).toBe(409)
    await role({ role: 'owner' })
    expect((await person.get(PEOPLE)).text).toContain('Invite somebody')
    const log = (await api.get('/audit-log?action=person.role')).body.entries as { detail: unknown }[]
    expect(log.map(({ detail }) => detail)).toEqual([
      { role: 'owner' },
      { role: 'editor', project_id: other },
      { role: 'client', project_id: site },
    ])
  })

  it('is on the invitation, whose form requires a site for it and proposes the only one', async () => {
    const { api, person: owner } = await newOwner(stack)
    const site = await newProject(api)
    expect((await owner.get(PEOPLE)).text).toMatch(new RegExp(`<option value="${site}" selected`))
    const page = await owner.post(PEOPLE, { email: newEmail(), role: 'client', project: '' })
    expect([page.status, page.text.includes('Choose the site of an editor or a client.')]).toEqual([400, true])
    expect(await rowsIn(stack, sql`select 1 from invitations where account_id = ${api.accountId}::int`)).toEqual([])
  })
})
