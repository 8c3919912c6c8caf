import type { Cms, CmsArticle, CmsPost, CmsResult } from '../../src/publishing/target/cms-adapter.ts'

/** Result of one step of the check. */
export type Step = { name: string; held: boolean; said: string }

export type WalkGiven = {
  /** Part of the slug and the marker, so that two checks do not meet. */
  id: string
  now: Date
  image?: { url: string; alt: string }
  /** True if the platform knows slugs, so that a slug can be taken. */
  knowsSlugs: boolean
  /** Returns true if a public page shows some words. */
  pageShows: (url: string, words: string) => Promise<boolean>
  tell: (step: Step) => void
}

const LONG_PARAGRAPH = `<p>${'Sheds keep tools dry and warm through the winter. '.repeat(20)}</p>`
/** Longer than the 30,000 characters that one provider's converter accepts, with a table at its end. */
const LONG_HTML = `${LONG_PARAGRAPH.repeat(40)}<table><tr><th>Tool</th></tr><tr><td>Saw</td></tr></table>`

const articleOf = ({ id, now }: WalkGiven, more: Partial<CmsArticle> = {}): CmsArticle => ({
  marker: `galley-check-${id}`,
  title: `Connection check ${id}`,
  slug: `connection-check-${id}`,
  html: `<h2>First</h2><p>The first words of ${id}.</p>`,
  metaDescription: 'A post of the connection check. It may be deleted.',
  status: 'published',
  publishedAt: now.toISOString(),
  tags: [],
  category: '',
  author: '',
  ...more,
})

const wordsOf = (result: CmsResult<unknown>): string =>
  result.kind === 'done' ? (result.notes ?? []).join(' ') : result.reason

/** Creates a function that records a step and reports it. Data that steps share is in the closure of `walkCms`. */
const stepper = (tell: WalkGiven['tell']) => {
  const steps: Step[] = []
  const step = (name: string, held: boolean, said = ''): boolean => {
    const made = { name, held, said }
    steps.push(made)
    tell(made)
    return held
  }
  return { steps, step }
}

type Walk = { cms: Cms; given: WalkGiven; remoteId: string; step: ReturnType<typeof stepper>['step'] }

const isPost = (result: CmsResult<CmsPost | null>, status: CmsPost['status']): result is CmsResult<CmsPost> =>
  result.kind === 'done' && result.value !== null && result.value.status === status

const findIt = async ({ cms, given, remoteId, step }: Walk): Promise<void> => {
  const { marker, slug, title } = articleOf(given)
  const byId = await cms.find({ marker, slug, title, remoteId })
  step('found by id', byId.kind === 'done' && byId.value?.remoteId === remoteId, wordsOf(byId))
  const bySlug = await cms.find({ marker, slug, title })
  step('found by slug', bySlug.kind === 'done' && bySlug.value?.remoteId === remoteId, wordsOf(bySlug))
}

const publishIt = async ({ cms, given, remoteId, step }: Walk): Promise<void> => {
  const live = await cms.update(remoteId, articleOf(given))
  const url = isPost(live, 'published') && live.kind === 'done' ? live.value.url : null
  step('published in place', isPost(live, 'published'), `${url ?? ''} ${wordsOf(live)}`.trim())
  if (url) step('its page shows the text', await given.pageShows(url, `The first words of ${given.id}.`), url)
  const kept = cms.read ? await cms.read(remoteId) : undefined
  const next = await cms.update(remoteId, articleOf(given, { html: `<p>Second words of ${given.id}.</p>` }))
  step('changed in place', isPost(next, 'published'), wordsOf(next))
  if (url) step('its page shows the new text', await given.pageShows(url, `Second words of ${given.id}.`), url)
  if (!kept) return
  step('content read back', kept.kind === 'done' && kept.value !== null, wordsOf(kept))
  if (kept.kind !== 'done' || !kept.value || !cms.restore) return
  const restored = await cms.restore(remoteId, kept.value)
  step('put back', restored.kind === 'done' && restored.value !== null, wordsOf(restored))
}

const fillIt = async ({ cms, given, remoteId, step }: Walk): Promise<void> => {
  const long = await cms.update(remoteId, articleOf(given, { html: LONG_HTML }))
  step('a long text with a table', isPost(long, 'published'), wordsOf(long))
  const { image } = given
  if (!image) return
  const pictured = await cms.update(remoteId, articleOf(given, { image, html: `<p>Text</p><img src="${image.url}">` }))
  step('an image', isPost(pictured, 'published') && !/image/i.test(wordsOf(pictured)), wordsOf(pictured))
  if (!cms.hostImage) return
  const hosted = await cms.hostImage(image)
  step('an image hosted there', hosted.kind === 'done', hosted.kind === 'done' ? hosted.value : wordsOf(hosted))
}

const takeSlug = async ({ cms, given, step }: Walk): Promise<void> => {
  const other = await cms.create(articleOf(given, { marker: `galley-check-other-${given.id}`, title: 'Another' }))
  const isRefused = other.kind === 'refused' && (other.code === 'slug_taken' || other.code === 'conflict')
  step('a taken slug is refused', isRefused, wordsOf(other))
  if (other.kind === 'done') await cms.discard?.(other.value.remoteId)
}

const endIt = async ({ cms, given, remoteId, step }: Walk): Promise<void> => {
  if (cms.unpublish) {
    const taken = await cms.unpublish(remoteId, articleOf(given, { status: 'draft' }))
    step('taken down', isPost(taken, 'draft'), wordsOf(taken))
  }
  const isGone = (await cms.discard?.(remoteId)) === true
  step(
    'cleaned up',
    isGone,
    isGone ? '' : `Delete the post ${remoteId} ("Connection check ${given.id}") there by hand.`,
  )
}

/**
 * Checks a real connection, from its probe to the clean-up. Returns the steps in order, and if each succeeded.
 *
 * Makes one post and removes it again. Nothing else at the CMS is changed.
 */
export const walkCms = async (cms: Cms, given: WalkGiven): Promise<Step[]> => {
  const { steps, step } = stepper(given.tell)
  const probed = await cms.probe()
  const site = probed.kind === 'done' ? `${probed.value.name} ${probed.value.url ?? ''}` : ''
  if (!step('probe', probed.kind === 'done', `${site} ${wordsOf(probed)}`.trim())) return steps
  const made = await cms.create(articleOf(given, { status: 'draft', ...(given.image ? { image: given.image } : {}) }))
  if (!step('a draft', isPost(made, 'draft'), wordsOf(made)) || made.kind !== 'done') return steps
  const walk: Walk = { cms, given, remoteId: made.value.remoteId, step }
  try {
    await findIt(walk)
    await publishIt(walk)
    await fillIt(walk)
    if (given.knowsSlugs) await takeSlug(walk)
  } finally {
    await endIt(walk)
  }
  return steps
}
