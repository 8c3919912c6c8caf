import { expect, inject, it } from 'vitest'
import { newProject } from '../../support/client.ts'
import { formOn, newOwner, textOf } from '../people/browser.ts'

const stack = inject('stack')

it('a person sets the policy of a site, keys read it, and its history shows who changed what', async () => {
  const { api, person } = await newOwner(stack)
  const site = await newProject(api, { timezone: 'Europe/Paris' })
  const [at, path] = [`/p/${site}/policy`, `/projects/${site}/policy`]
  expect((await api.get(path)).body).toMatchObject({
    version: 0,
    changed_at: null,
    frozen: false,
    needs_approval: 'off',
  })

  const first = await person.get(at)
  expect(textOf(first)).toContain('Nobody has set a policy yet')
  const form = { ...formOn(first, at), needs_approval: 'off' }
  const limits = { max_publications_per_day: '2', quiet_from: '22:00', quiet_to: '07:00' }
  const saved = await person.post(at, { ...form, ...limits, limit_targets: 'yes', target_webhook: 'yes' })
  expect(textOf(saved)).toContain('The policy is saved and in force.')
  const { body } = await api.get(path)
  expect(body).toMatchObject({
    project_id: site,
    version: 1,
    timezone: 'Europe/Paris',
    max_publications_per_day: 2,
    quiet_hours: { from: '22:00', to: '07:00' },
    allowed_targets: ['webhook'],
    monthly_budget: { article_credits: null, crowdwork_dollars: null },
    says: {
      quiet_hours: 'Nothing goes out from 22:00 to 07:00, by the clock of Europe/Paris.',
      max_publications_per_day: 'At most 2 articles go live a day, by the clock of Europe/Paris.',
    },
    used: { publications_today: 0, article_credits_this_month: 0, crowdwork_dollars_this_month: 0 },
    page: `${stack.url}${at}`,
  })

  const late = await person.post(at, { ...form, frozen: 'yes' })
  expect(textOf(late)).toContain('It was changed at the same moment, so nothing was done.')
  const wrong = await person.post(at, { ...formOn(await person.get(at), at), needs_approval: 'off', quiet_to: '22:00' })
  expect([wrong.status, textOf(wrong)]).toEqual([400, expect.stringContaining('Quiet hours end is the same time')])
  expect((await api.get(path)).body).toMatchObject({ version: 1, frozen: false })

  await person.post(at, { ...formOn(await person.get(at), at), needs_approval: 'off', frozen: 'yes' })
  const { body: account } = await api.get('/audit-log?action=project.policy')
  expect(account.entries).toMatchObject([
    { detail: { version: 2, from: { frozen: false }, to: { frozen: true } } },
    { detail: { version: 1, from: { quiet_hours: null }, to: { quiet_hours: { from: '22:00', to: '07:00' } } } },
  ])
  expect((await api.get('/events?limit=200')).body.events).toContainEqual(
    expect.objectContaining({ type: 'project.policy', subject: `project:${site}` }),
  )
  const shown = textOf(await person.get(at))
  expect(shown).toContain('The project is not frozen. → The project is frozen: nothing goes out.')
  expect(shown).toContain('There are no quiet hours. → Nothing goes out from 22:00 to 07:00')

  const { person: outsider } = await newOwner(stack)
  expect([403, 404]).toContain((await outsider.post(at, { ...form, version: '2' })).status)
  expect((await api.get(path)).body).toMatchObject({ version: 2, frozen: true })
})
