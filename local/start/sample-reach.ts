import type { ProviderAccounts } from '../providers.ts'
import type { Stack } from '../stack.ts'

type Call = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

const DAY_MS = 86_400_000
const NETWORKS = ['x', 'linkedin', 'googlebusiness', 'facebook']
/** The network whose account a person must connect again. */
const LAPSED = 'facebook'

/**
 * Connects accounts, as if a person had agreed at the provider's stand-in. Returns true if they are connected.
 *
 * One of them has lapsed since, so that a post failed there.
 */
export const connectAccounts = async (
  call: Call,
  { zernio }: Stack,
  project: number,
  accounts: ProviderAccounts,
): Promise<boolean> => {
  // At the real provider a real person has to agree.
  if (accounts.SOCIAL_API_KEY) return false
  for (const platform of NETWORKS) {
    const { connect_url: url } = await call('POST', '/social/accounts', { project_id: project, platform })
    await (await fetch(String(url))).arrayBuffer()
  }
  const { posts } = await call('POST', '/social/publish', {
    project_id: project,
    content: 'Which colour would you paint this shed? The three most wished for are shown on Friday.',
    platforms: [LAPSED],
    draft: true,
  })
  for (const account of zernio.data.accounts) account.needsReconnection = account.platform === LAPSED
  const [lost] = posts as { post_id: number }[]
  await call('POST', `/social/posts/${lost?.post_id}/publish`)
  return true
}

/** Makes published posts, one that waits for its date, a draft, and an answer to a review. */
export const makePosts = async (call: Call, project: number): Promise<void> => {
  const post = (content: string, platforms: string[], more: object = {}) =>
    call('POST', '/social/publish', { project_id: project, content, platforms, ...more })
  await post('A shed stands as well as its ground is level. What we check before the first board is cut:', [
    'x',
    'linkedin',
  ])
  await post('Open house on Saturday: see three sheds from the inside.', ['googlebusiness'])
  await post('Next week: how we keep a green roof alive in August.', ['linkedin'], {
    scheduled_for: new Date(Date.now() + 7 * DAY_MS).toISOString(),
  })
  await post('Rain outside, dry inside: what a shed needs under its roof felt.', ['linkedin'], { draft: true })
  const { reviews } = await call('GET', `/profile/reviews?project_id=${project}&has_reply=false&limit=1`)
  const [review] = reviews as { review_id: string }[]
  if (review)
    await call('POST', '/profile/reviews/reply', {
      project_id: project,
      review_id: review.review_id,
      message: 'Thank you for telling us. We are glad that it stands dry and level.',
    })
}

const ANSWERS = ['The corner shed, because of its door.', 'Cedar. It smells good and needs no paint.', 'The small one.']

/** Makes a campaign with work that waits for a rating, and work that was rated. */
export const makeCampaign = async (
  call: Call,
  stack: Stack,
  project: number,
  accounts: ProviderAccounts,
): Promise<void> => {
  // At the real provider it would cost real money.
  if (accounts.CROWDWORK_API_KEY) return
  const { campaign_id: id } = await call('POST', '/crowdwork/campaigns', {
    project_id: project,
    title: 'Which shed would you choose?',
    description: 'Look at the page with three garden sheds, choose one, and say in a sentence why.',
    template_html: '<p>Which shed would you choose, and why?</p><textarea name="answer" required></textarea>',
    available_positions: 30,
    payment_per_task: 0.2,
  })
  const slots = ANSWERS.flatMap((answer) => stack.crowdwork.work(String(id), 1, answer))
  await call('POST', `/crowdwork/slots/${slots[0]?.id}/rate`, { campaign_id: id, rating: 'OK' })
}
