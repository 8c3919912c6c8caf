import { sql } from 'drizzle-orm'
import { PATHS } from '../../src/accounts/people/paths.ts'
import { createKey } from '../../src/platform/accounts/admin.ts'
import { withTokens } from '../accounts/oauth/flow.ts'
import { linkIn, mailTo, newEmail } from '../accounts/people/browser.ts'
import { newDevice, optionsOn } from '../accounts/people/device.ts'
import {
  type Api,
  clientOf,
  connectReceiver,
  newArticle,
  newProject,
  rowsIn,
  runnerOf,
  type Target,
} from '../support/client.ts'
import { type TestStack, targetOf } from '../support/stack.ts'

/** Connects accounts, and makes posts of several states; a draft. */
const tellOfIt = async (api: Api, project: number): Promise<number> => {
  for (const platform of ['linkedin', 'googlebusiness']) {
    const { body } = await api.post('/social/accounts', { project_id: project, platform })
    await (await fetch(String(body.connect_url))).arrayBuffer()
  }
  const post = (content: string, more: object) =>
    api.post('/social/publish', { project_id: project, content, platforms: ['linkedin'], ...more })
  await post('كيف تختار دراجة للتنقل اليومي في المدينة تحت المطر', { scheduled_for: '2031-05-01T09:00' })
  await post('[fails] A chain that is too short does not shift.', {})
  const { body } = await post(
    'Three signs that a chain is worn:\n1. It skips.\n2. It squeaks.\n3. It is longer than it was.',
    {
      draft: true,
      link: 'https://pedal-and-spoke.example/chains-that-last',
    },
  )
  return (body.posts as { post_id: number }[])[0]?.post_id ?? 0
}

/** Has workers hand something in for a campaign; its id. */
const askWorkers = async (api: Api, stack: TestStack, project: number): Promise<string> => {
  const { body } = await api.post('/crowdwork/campaigns', {
    project_id: project,
    title: 'Which bicycle would you take to work on a wet day?',
    description: 'Look at three pictures and choose one.',
    template_html: '<input name="answer">',
    available_positions: 3,
  })
  stack.crowdwork.work(String(body.campaign_id), 2, 'The one with mudguards, since my trousers stay dry.')
  return String(body.campaign_id)
}

/**
 * Returns a signed-in person with data on every page: projects, keys, an application, a site, a log, an open
 * invitation.
 */
export const settledPerson = async (stack: TestStack) => {
  const target: Target = targetOf(stack)
  const { visitor, email } = await withTokens({ url: stack.url, mailUrl: stack.mail.url })
  const [account] = await rowsIn<{ id: number }>(
    target,
    sql`update accounts set project_slots = 3 where lower(email) = ${email} returning id`,
  )
  const { key } = await createKey(runnerOf(target), String(account?.id), {
    name: 'A script that publishes what our editors have approved',
    scopes: ['read', 'write'],
    kind: 'test',
  })
  const api = clientOf(stack.url, key, Number(account?.id))
  const project = await newProject(api, {
    business_name: 'Pedal & Spoke, repairs of commuter bicycles in all weathers',
  })
  await newProject(api)
  await connectReceiver(api, project, stack.receiver.url, stack.receiverToken)
  const article = await newArticle(api, project)
  await api.post(`/articles/${article}/publish`)
  const plan = (fields: object, days: number) =>
    api.post('/articles', {
      project_id: project,
      status: 'Planned',
      scheduled_date: new Date(Date.now() + days * 86_400_000).toISOString(),
      ...fields,
    })
  await plan({ keyword: 'how to true a wheel', title: 'How to true a wheel' }, 2)
  const german = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenreinigungsanleitung für Pendlerfahrräder'
  await plan({ keyword: 'regenfest', title: german, content: `<p>${'Langer Text. '.repeat(200)}</p>` }, 3)
  await plan({ keyword: 'دراجة', title: 'كيف تختار دراجة للتنقل اليومي في المدينة تحت المطر' }, 3)
  await api.post('/articles', { project_id: project, keyword: 'brake pads', title: 'When to change brake pads' })
  await api.put(`/articles/${article}`, { title: 'Chains that last', sync: true })
  const delivery = await api.get(`/webhook-deliveries?article_id=${article}`)
  const deliveries = delivery.body.deliveries as { id: number }[]
  const post = await tellOfIt(api, project)
  const campaign = await askWorkers(api, stack, project)
  const asking = await visitor.post(PATHS.passkeys, { name: 'Firefox on the laptop in the workshop' })
  const response = newDevice(stack.url).create(optionsOn(asking))
  await visitor.post(`${PATHS.passkeys}/add`, { name: 'Firefox on the laptop in the workshop', response })
  const guest = newEmail()
  await visitor.post(PATHS.people, { email: guest, role: 'member' })
  const mailed = async (to: string, subject: RegExp) => {
    const { pathname, search } = new URL(linkIn(await mailTo(stack.mail.url, to, subject)))
    return pathname + search
  }
  const invitation = await mailed(guest, /./)
  await visitor.post(PATHS.reset, { email })
  const newPassword = await mailed(email, /new password/)
  return { visitor, key, invitation, newPassword, project, article, delivery: deliveries[0]?.id ?? 0, post, campaign }
}
