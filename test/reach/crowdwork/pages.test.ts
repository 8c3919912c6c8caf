import { afterEach, beforeAll, expect, inject, it } from 'vitest'
import { inviteTo, signInAsOwner, textOf, type Visitor } from '../../accounts/people/browser.ts'
import { setPolicy } from '../../accounts/policy/set.ts'
import { newProject } from '../../support/client.ts'
import { ownFaults } from '../../support/faults.ts'
import { openScene, type Scene, work } from './scene.ts'

const stack = inject('stack')
const faults = ownFaults(stack.crowdworkUrl)

let scene: Scene
let person: Visitor
let campaign: string
let list: string
let at: string

beforeAll(async () => {
  scene = await openScene(stack)
  ;({ person } = await signInAsOwner(stack, scene.api))
  const made = await scene.make({ title: 'Which shed?', available_positions: 30, payment_per_task: 0.2 })
  campaign = String(made.body.campaign_id)
  list = `/p/${scene.project}/crowdwork`
  at = `${list}/${campaign}`
})
afterEach(() => faults.clear())

const rated = async (id: string) => {
  const { body } = await scene.api.get(`/crowdwork/campaigns/${campaign}/slots?pageSize=100`)
  return (body.slots as { id: string; rating: string | null }[]).find((slot) => slot.id === id)?.rating
}

it('without a campaign, the page explains crowdwork and what to do', async () => {
  const page = await person.get(`/p/${await newProject(scene.api)}/crowdwork`)
  expect(textOf(page)).toContain('Your agent begins a campaign within your budget.')
  expect(page.text).toContain('href="/docs/how/crowdwork#crowdwork"')
})

it('campaigns are shown with their cost, and a spent budget with a note', async () => {
  expect(textOf(await person.get(list))).toMatch(
    /Set aside this month \$6\.00 for 1 campaign Budget of the month No limit .*Made Which shed\? 30 tasks at \$0\.20, \$6\.00 at most/,
  )
  await scene.api.put(`/projects/${scene.project}`, { crowdwork_budget: 9 })
  expect(textOf(await person.get(list))).toMatch(/Budget of the month \$9\.00 \$3\.00 left/)
  expect(textOf(await person.get(list))).not.toContain('was spent')
  await scene.api.put(`/projects/${scene.project}`, { crowdwork_budget: 6.1 })
  const spent = await person.get(list)
  expect(textOf(spent)).toContain('The budget of this month is spent. $6.00 of $6.10 are set aside')
  expect(spent.text).toContain(`href="/p/${scene.project}/settings/social">Change the budget`)
  await setPolicy(stack, scene.project, { monthly_budget: { article_credits: null, crowdwork_dollars: 5 } })
  const page = await person.get(list)
  expect(textOf(page)).toContain('$6.00 of $5.00 are set aside')
  expect(page.text).toContain(`href="/p/${scene.project}/policy">Change the budget`)
  await setPolicy(stack, scene.project)
})

it('work is shown as it was handed in, and accepted, refused or sent back', async () => {
  const [one = '', two = '', three = ''] = await work(stack, campaign, 3, 'The <b>corner</b> shed.')
  const page = await person.get(at)
  expect(page.text).toContain('The &lt;b&gt;corner&lt;/b&gt; shed.')
  expect(page.text).toContain(`<a href="https://files.example/${one}.png" rel="noreferrer nofollow">`)
  const accepted = await person.post(`${at}/rate`, { slot: one, rating: 'OK', comment: '' })
  expect([accepted.url.endsWith(at), textOf(accepted)]).toEqual([
    true,
    expect.stringContaining('Accepted. The worker is paid.'),
  ])
  expect(await rated(one)).toBe('OK')
  expect(accepted.text).not.toContain(`value="${one}"`)
  expect(textOf(accepted)).toMatch(/Paid \$0\.20 of \$6\.00 at most/)
  const bare = await person.post(`${at}/rate`, { slot: two, rating: 'NOK', comment: ' ' })
  expect([bare.status, textOf(bare)]).toEqual([400, expect.stringContaining('Write to the worker why')])
  expect(await rated(two)).toBeNull()
  await person.post(`${at}/rate`, { slot: two, rating: 'NOK', comment: 'No shed is named.' })
  await person.post(`${at}/rate`, { slot: three, rating: 'REVISE', comment: 'Which corner?' })
  expect([await rated(two), await rated(three)]).toEqual(['NOK', 'REVISE'])
  expect(textOf(await person.get(`${at}?view=again`))).toMatch(/To do again Worker .*Rate it/)
  expect((await person.get(`${at}?view=refused`)).text).not.toContain('Rate it')
})

it('a final rating stays: another one is refused with the reason, and the comment stays', async () => {
  const [slot = ''] = await work(stack, campaign)
  await work(stack, campaign)
  await scene.api.post(`/crowdwork/slots/${slot}/rate`, { campaign_id: campaign, rating: 'OK' })
  const other = await person.post(`${at}/rate`, { slot, view: 'all', rating: 'NOK', comment: 'Too late.' })
  expect([other.status, textOf(other)]).toEqual([400, expect.stringContaining('a rating cannot be changed')])
  expect(await rated(slot)).toBe('OK')
})

it('if the provider does not answer, the page says so and links to another try', async () => {
  await faults.set({ path: `/basic-campaigns/${campaign}`, status: 500 })
  const page = await person.get(at)
  expect([page.status, textOf(page)]).toEqual([200, expect.stringMatching(/Which shed\? .*cannot be asked now\./)])
  expect(page.text).toContain(`href="${at}?page=1">Try again`)
})

it('other roles cannot rate, and a campaign of another site or account is 404', async () => {
  const [slot = ''] = await work(stack, campaign)
  const { person: client } = await inviteTo(stack, person, 'client', scene.project)
  const page = await client.get(at)
  expect([page.status, page.text.includes('Worker'), page.text.includes('name="rating"')]).toEqual([200, true, false])
  expect((await client.post(`${at}/rate`, { slot, rating: 'OK' })).status).toBe(403)
  const other = await newProject(scene.api)
  const theirs = await openScene(stack)
  const outsider = await signInAsOwner(stack, theirs.api)
  for (const [who, path] of [
    [person, `/p/${other}/crowdwork/${campaign}`],
    [outsider.person, at],
    [outsider.person, `/p/${theirs.project}/crowdwork/${campaign}`],
  ] as const) {
    expect((await who.get(path)).status).toBe(404)
    expect((await who.post(`${path}/rate`, { slot, rating: 'OK' })).status).toBe(404)
  }
  expect(await rated(slot)).toBeNull()
})
