import { expect } from 'vitest'
import type { FaultRule } from '../../local/faults.ts'
import type { StandIn } from '../../local/stand-in.ts'
import type { DeliveredArticle } from '../../schema/values/delivered-article.ts'
import { isStoredForm } from '../../src/content/stored/forms.ts'
import { spliceStored } from '../../src/content/stored/splice.ts'
import { createOutbound } from '../../src/platform/runtime/outbound.ts'
import type { CmsDeps } from '../../src/providers/cms/http.ts'
import { cmsTarget } from '../../src/providers/cms/posts.ts'
import type {
  Cms,
  CmsArticle,
  CmsField,
  CmsPost,
  CmsResult,
  CmsVersion,
} from '../../src/publishing/target/cms-adapter.ts'
import type {
  Keeping,
  PublishOutcome,
  PublishRequest,
  PublishTarget,
} from '../../src/publishing/target/publish-target.ts'
import type { SentWords } from '../../src/publishing/target/sent-words.ts'

/** A clock tests set by hand. */
export type Clock = { now: () => Date; pass: (ms: number) => void }

export const clockAt = (iso: string): Clock => {
  let at = Date.parse(iso)
  return {
    now: () => new Date(at),
    pass: (ms) => {
      at += ms
    },
  }
}

/** The real way out, loopback allowed; waiting only moves the clock. */
export const meansAt = (clock: Clock): CmsDeps => ({
  outbound: createOutbound({
    allowLoopback: true,
    dnsQueryUrl: '',
    userAgent: 'Galley/test',
    log: () => {},
    now: clock.now,
  }),
  now: clock.now,
  sleep: async (ms) => clock.pass(ms),
  serviceName: 'Galley',
  publicUrl: 'https://galley.example',
})

/** Returns the services of a connection test, in which an address may prove not to be the API's. */
export const probing = (deps: CmsDeps): CmsDeps => ({
  ...deps,
  watch: { isProbe: true, hasWritten: false, hasChanged: false, printed: new Set() },
})

export const article = (more: Partial<CmsArticle> = {}): CmsArticle => ({
  marker: 'galley-00c0ffee-7',
  title: 'How to build a shed',
  slug: 'how-to-build-a-shed',
  html: '<h2>Why</h2><p>A shed keeps tools dry.</p>',
  metaDescription: 'Sheds, step by step.',
  status: 'published',
  publishedAt: '2026-01-02T03:04:05.000Z',
  tags: [],
  category: '',
  author: '',
  ...more,
})

/** Returns the value of a result. Throws the reason if there is none. */
export const valueIn = <T>(result: CmsResult<T>): T => {
  if (result.kind !== 'done') throw new Error(result.reason)
  return result.value
}

/** Returns the post of a result. Throws if there is none. */
export const postOf = (result: CmsResult<CmsPost | null>): CmsPost => {
  const found = valueIn(result)
  if (!found) throw new Error('There is no post.')
  return found
}

/** Returns an article with its own slug and mark, which no other has. */
export const ownArticle = (name: string, more: Partial<CmsArticle> = {}): CmsArticle =>
  article({ slug: name, marker: `galley-00c0ffee-${name}`, ...more })

/** Identifies the post of `article()` at a CMS. */
export const query = { marker: 'galley-00c0ffee-7', slug: 'how-to-build-a-shed', title: 'How to build a shed' }

/** Returns the id of a post that was made; empty if none was. */
export const idOf = (made: CmsResult<{ remoteId: string }>): string => (made.kind === 'done' ? made.value.remoteId : '')

/** Time limit of a proof of all faults, ms. */
export const PROOF_TIMEOUT_MS = 840_000

/** Returns a delivery as the service sends it. */
export const requestOf = (clock: Clock, more: Partial<DeliveredArticle> = {}, updateOnly = false): PublishRequest => ({
  key: `key-${more.id ?? 7}`,
  event: updateOnly ? 'update_articles' : 'publish_articles',
  article: {
    id: '7',
    title: 'How to build a shed',
    slug: 'how-to-build-a-shed',
    content_html: '<p>A shed keeps tools dry.</p>',
    content_markdown: 'A shed keeps tools dry.',
    meta_description: 'Sheds, step by step.',
    created_at: clock.now().toISOString(),
    updated_at: clock.now().toISOString(),
    image_url: '',
    alt_text: '',
    tags: [],
    category: '',
    author: '',
    status: 'Published',
    ...more,
  },
  origin: '00c0ffee',
  firstSentAt: clock.now().toISOString(),
  updateOnly,
  isChange: updateOnly,
  isRepeat: false,
  generation: 0,
  hostImages: false,
})

const RICH =
  '<h2 id="why">Why &amp; how</h2><p>A shed keeps <strong>tools</strong> dry, for 5 € a day.</p><ul><li>One</li><li>Two</li></ul>' +
  '<ol><li>First step</li></ol><p><a href="https://shed.example/a_(b)?c=1">A link</a> and <code>code_of *it*</code>.</p>' +
  '<blockquote><p>Quoted words, "all" of them.</p></blockquote><pre><code>const a = [1] // not a list</code></pre>' +
  '<table><tbody><tr><td>Wood</td><td>1</td></tr></tbody></table>'

/** Keeps versions in a list. */
export const keepingFor = (sent: () => readonly SentWords[], versions: CmsVersion[] = []): Keeping => {
  let stored: CmsVersion | undefined
  return {
    version: async (version) => {
      stored = JSON.stringify(versions.at(-1)) === JSON.stringify(version) ? undefined : version
      if (stored) versions.push(stored)
    },
    dropVersion: async () => {
      if (stored && versions.at(-1) === stored) versions.pop()
    },
    sentBefore: async () => sent(),
    hostedImages: async () => new Map(),
    hosted: async () => {},
    hasTime: () => true,
    splice: async ({ format, text }, html) => {
      if (!isStoredForm(format)) throw new Error(`a text of the form ${format} is not changed in parts`)
      return spliceStored({ format, text, html, known: sent().map(({ content_html }) => content_html) })
    },
  }
}

/**
 * Proves that an update reports no words that were sent from here, in whatever form the CMS stores them, and reports
 * those of an editor.
 *
 * The editor's change is made through the adapter, so that no delivery knows of it.
 */
export const proveWordsNamed = async (cms: Cms, clock: Clock, own: Partial<DeliveredArticle> = {}): Promise<void> => {
  const target = cmsTarget(cms, 'Galley')
  let sent: PublishRequest['article'][] = []
  const versions: CmsVersion[] = []
  const keeping = keepingFor(() => sent, versions)
  const first = requestOf(clock, { content_html: RICH, tags: ['Tools'], ...own })
  const made = await target.deliver(first, keeping)
  const remoteId = made.kind === 'accepted' ? (made.remoteId ?? '') : ''
  sent = [first.article]
  const words = { external_id: remoteId, title: 'The second title', content_html: '<p>The second text.</p>' }
  const only: CmsField[] = ['title', 'html', 'tags']
  const change = (more: Partial<DeliveredArticle>): PublishRequest => ({
    ...requestOf(clock, { ...first.article, ...words, ...more }, true),
    only,
  })
  const ours = JSON.stringify(await target.deliver(change({}), keeping))
  expect(ours).toContain('accepted')
  expect(ours).not.toContain('changed at the site')
  expect(JSON.stringify(versions)).not.toContain('"words"')
  sent = [change({}).article]
  const byHand = { title: 'A title by hand', html: '<p>The second text, as an editor corrected it.</p>' }
  await cms.update(
    remoteId,
    article({ ...byHand, slug: first.article.slug, marker: `galley-00c0ffee-${first.article.id}` }),
    {
      intent: 'change',
      only: ['title', 'html'],
    },
  )
  // Its own words are sent back by the update that takes them over.
  const adopted = change({ title: byHand.title, content_html: byHand.html })
  expect(JSON.stringify(await target.deliver(adopted, keeping))).not.toContain('changed at the site')
  expect(await target.deliver(change({ title: 'The third title' }), keeping)).toMatchObject({
    kind: 'accepted',
    notes: expect.arrayContaining([
      expect.stringMatching(/title \(it was “A title by hand”\); content \(it was “[^”]*as an editor corrected it/),
    ]),
  })
  expect(JSON.stringify(versions.at(-1))).toContain('A title by hand')
  const kept = versions.at(-1)
  sent = [change({ title: 'The third title' }).article, ...sent]
  const rolledBack = await target.restore?.(change({}), kept ?? {}, keeping)
  expect(JSON.stringify(rolledBack)).toMatch(/"accepted"/)
  expect(JSON.stringify(rolledBack)).not.toContain('changed at the site')
  // Replacing the version's own words loses nothing; replacing other words of an editor is reported.
  expect(JSON.stringify(await target.restore?.(change({}), kept ?? {}, keeping))).not.toContain('changed at the site')
  await cms.update(
    remoteId,
    article({ title: 'Another by hand', slug: first.article.slug, marker: `galley-00c0ffee-${first.article.id}` }),
    { intent: 'change', only: ['title'] },
  )
  expect(await target.restore?.(change({}), kept ?? {}, keeping)).toMatchObject({
    kind: 'accepted',
    notes: expect.arrayContaining([expect.stringMatching(/title \(it was “Another by hand”\).*Roll back once more/)]),
  })
}

const ATTEMPTS = 200
const RETRY_MS = 30_000

/**
 * Publishes as the service does: checks an unknown outcome until it is known, and retries failures that a retry may fix.
 *
 * An update of a live post is simply sent again, as its author would do. That the post exists does not show its
 * content.
 */
export const publishThrough = async (
  target: PublishTarget,
  request: PublishRequest,
  clock: Clock,
  isLiveUpdate = false,
): Promise<PublishOutcome> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const outcome = await target.deliver(request)
    if (outcome.kind === 'accepted' || (outcome.kind === 'refused' && !outcome.retryable)) return outcome
    clock.pass(RETRY_MS)
    if (outcome.kind === 'refused' || isLiveUpdate) continue
    let known = await target.find?.(request)
    while (known?.kind === 'unsure') {
      clock.pass(RETRY_MS)
      known = await target.find?.(request)
    }
    if (known?.kind === 'found') return { ...known, kind: 'accepted' }
  }
  throw new Error('The publication came to no end.')
}

/** Returns a random number generator that gives the same row for the same seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const CHALLENGE =
  '<!doctype html><title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/x.js"></script>'

const TROUBLES: readonly FaultRule[] = [
  { drop: 'before' },
  { drop: 'after' },
  { drop: 'after' },
  { status: 500, answer: { message: 'Internal error' } },
  { status: 503, answer: '<html><body>Service Unavailable</body></html>' },
  { status: 429, answer: { message: 'Too many requests' } },
  { status: 200, answer: CHALLENGE },
]

/** Trouble of any kind at one call in five. */
export const troubleFrom = (random: () => number) => (): FaultRule | undefined =>
  random() < 0.2 ? TROUBLES[Math.floor(random() * TROUBLES.length)] : undefined

/** Number of publications in a fault proof. */
const PROOFS = process.env.LONG === '1' ? Number(process.env.FAULTS ?? 120) : 40

/** One post as a stand-in shows it, for comparing. */
export type Shown = { remoteId: string; slug: string; title: string; content: string; isLive: boolean }

/**
 * Publishes many articles, half of them as drafts first, and edits them, while every call may go wrong.
 *
 * Each must end as exactly one post, live, with the last content, under the remote id and URL that were answered.
 */
export const proveFaults = async (
  target: PublishTarget,
  clock: Clock,
  posts: () => Shown[],
  urlOf: (slug: string) => string,
  { needsImage = false, ids = false } = {},
): Promise<void> => {
  const answers: PublishOutcome[] = []
  for (let n = 0; n < PROOFS; n += 1) {
    const given = {
      id: String(n + 1),
      title: `Article ${n}`,
      slug: `article-${n}`,
      ...(needsImage ? { image_url: 'https://images.example/a.png' } : {}),
    }
    const first = requestOf(clock, { ...given, status: n % 2 === 0 ? 'Published' : 'Draft' })
    const made = await publishThrough(target, first, clock)
    const external_id = made.kind === 'accepted' && (ids || n % 3 > 0) ? made.remoteId : undefined
    const more = { content_html: `<p>Second version of ${n}.</p>`, ...(external_id ? { external_id } : {}) }
    const second = requestOf(clock, { ...given, ...more })
    answers.push(await publishThrough(target, { ...second, firstSentAt: first.firstSentAt }, clock, n % 2 === 0))
  }
  const shown = posts()
  for (let n = 0; n < PROOFS; n += 1) {
    const own = shown.filter((post) => post.title === `Article ${n}`)
    expect(own, `article ${n}: ${JSON.stringify(answers[n])}`).toHaveLength(1)
    expect(own[0]).toMatchObject({ slug: `article-${n}`, isLive: true })
    expect(own[0]?.content).toContain(`Second version of ${n}.`)
    expect(answers[n]).toMatchObject({ kind: 'accepted', remoteId: own[0]?.remoteId, url: urlOf(`article-${n}`) })
  }
  expect(shown).toHaveLength(PROOFS)
}

/**
 * Takes a post down at the CMS and then changes it. It stays down, with a warning that names its status, until another
 * publication.
 *
 * A change of the title alone sends no text, unless the platform takes whole posts only.
 */
export const proveChange = async (
  target: PublishTarget,
  clock: Clock,
  posts: () => unknown,
  { takesWhole = false, ...more }: Partial<DeliveredArticle> & { takesWhole?: boolean } = {},
): Promise<void> => {
  const request = requestOf(clock, { image_url: 'https://images.example/a.png', ...more })
  const made = await target.deliver(request)
  const remoteId = made.kind === 'accepted' ? (made.remoteId ?? '') : ''
  const known = { ...request.article, external_id: remoteId }
  expect(await target.unpublish?.(requestOf(clock, known))).toMatchObject({ kind: 'taken_down' })
  const hidden = { kind: 'accepted', remoteId, isHidden: true }
  const whole = await target.deliver(requestOf(clock, { ...known, content_html: '<p>One more sentence.</p>' }, true))
  expect(whole).toMatchObject({
    ...hidden,
    notes: expect.arrayContaining([expect.stringContaining('has the status "')]),
  })
  const part = requestOf(clock, { ...known, title: 'Renamed', content_html: '<p>Not sent.</p>' }, true)
  expect(await target.deliver({ ...part, only: ['title'] })).toMatchObject(hidden)
  const shown = JSON.stringify(posts())
  expect(shown).toContain('Renamed')
  if (!takesWhole) expect([shown.includes('One more sentence.'), shown.includes('Not sent.')]).toEqual([true, false])
  expect(await target.find?.(requestOf(clock, known))).toEqual({ kind: 'absent', remoteId })
  expect(await target.deliver(requestOf(clock, known))).toMatchObject({ kind: 'accepted', remoteId })
}

const CACHED_MS = 600_000

/**
 * Publishes and takes down an article behind a host that caches reads of it, live or as a draft, and that says so or not.
 *
 * Every claim must be true at the site. `isFresh`: the adapter's reads pass the cache, so every call succeeds.
 */
export const proveCachedHost = async (
  target: PublishTarget,
  clock: Clock,
  host: Pick<StandIn, 'cacheReads'>,
  posts: () => Shown[],
  { isFresh = false, image_url = '' } = {},
): Promise<void> => {
  for (const [says, isLiveFirst] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    const name = `cached-${says}-${isLiveFirst}`
    const first = requestOf(clock, { id: name, title: name, slug: name, image_url })
    const made = await target.deliver(first)
    const external_id = made.kind === 'accepted' ? (made.remoteId ?? '') : ''
    const request = { ...first, article: { ...first.article, external_id } }
    if (!isLiveFirst) await target.unpublish?.(request)
    const isLive = () =>
      posts()
        .filter(({ title }) => title === name)
        .map((post) => post.isLive)
    const publish = async () => {
      const { kind } = await target.deliver(request)
      expect(['accepted', ...(isFresh ? [] : ['refused', 'unknown'])]).toContain(kind)
      if (kind === 'accepted') expect(isLive()).toEqual([true])
    }
    const takeDown = async () => {
      const kind = (await target.unpublish?.(request))?.kind
      expect(['taken_down', ...(isFresh ? [] : ['refused', 'unknown'])]).toContain(kind)
      if (kind === 'taken_down') expect(isLive()).toEqual([false])
    }
    host.cacheReads({ now: clock.now, ms: CACHED_MS, says })
    for (const call of isLiveFirst ? [takeDown, publish, takeDown, publish] : [publish, takeDown, publish, takeDown])
      await call()
    host.cacheReads(undefined)
  }
}

/** Ways in which one request of a call goes wrong. */
const FAULTS = {
  'dropped before': { drop: 'before' },
  'dropped after': { drop: 'after' },
  'answered 503': { status: 503, answer: '<h1>Service Unavailable</h1>' },
  'answered by half': { half: true },
} as const satisfies Record<string, FaultRule>

/** Lets one request go wrong. `trouble` is given to the stand-in. */
export const oneFault = () => {
  let [count, place] = [0, 0]
  let rule: FaultRule | undefined
  return {
    trouble: (): FaultRule | undefined => {
      count += 1
      return count === place ? rule : undefined
    },
    /** Counts requests from now on; the one at this place goes wrong. Place 0: none. */
    at: (given: number, fault?: FaultRule) => {
      count = 0
      place = given
      rule = fault
    },
    count: () => count,
  }
}

type Step = 'publish' | 'sync' | 'rollback' | 'take-down'
const STEPS: readonly Step[] = ['publish', 'sync', 'rollback', 'take-down']

/** An article on which one call is made, with the versions that are kept before changes. */
const openCase = async (target: PublishTarget, clock: Clock, step: Step, id: string, image_url: string) => {
  const versions: CmsVersion[] = []
  const sent: SentWords[] = []
  const keeping = () => keepingFor(() => sent, versions)
  const given = { id, title: `Case ${id}`, slug: `case-${id}`, image_url }
  const first = requestOf(clock, given)
  let external_id = ''
  const deliver = async (request: PublishRequest) => {
    const outcome = await target.deliver(request, keeping())
    const { isChange: _, ...rest } = request
    sent.unshift({ ...rest.article, arrived: outcome.kind === 'accepted' })
    if (outcome.kind === 'accepted') external_id = outcome.remoteId ?? external_id
    return outcome
  }
  const change = (content_html: string): PublishRequest => ({
    ...requestOf(clock, { ...given, content_html, external_id }, true),
    only: ['html'],
  })
  if (step !== 'publish') expect(await deliver(first)).toMatchObject({ kind: 'accepted' })
  if (step === 'rollback') expect(await deliver(change('<p>Second words.</p>'))).toMatchObject({ kind: 'accepted' })
  const [kept] = versions
  /** Publishes as the service does: after an unknown outcome the site is asked first. */
  const publish = async (isRepeat: boolean) => {
    const known = isRepeat ? await target.find?.(first) : undefined
    return known?.kind === 'found' ? { kind: 'accepted' as const } : await deliver(first)
  }
  const call = async (isRepeat: boolean): Promise<string | undefined> => {
    if (step === 'publish') return (await publish(isRepeat)).kind
    if (step === 'sync') return (await deliver(change('<p>Second words.</p>'))).kind
    if (step === 'rollback') return (await target.restore?.(change(''), kept ?? {}, keeping()))?.kind
    return (await target.unpublish?.(requestOf(clock, { ...given, external_id })))?.kind
  }
  const lookUp = async () => (await target.hasUpdate?.(external_id, change('<p>Second words.</p>'), keeping()))?.kind
  return { call, lookUp, versions, title: given.title }
}

/**
 * Proves that a call which failed at any of its requests, in any way, ends as one undisturbed call when it is repeated: one post,
 * with the same words and state, and the same versions to go back to. A look-up of a sync says what the site has.
 */
export const proveRepeats = async (
  target: PublishTarget,
  clock: Clock,
  fault: ReturnType<typeof oneFault>,
  posts: () => Shown[],
  { image_url = '', waitMs = 0 } = {},
): Promise<void> => {
  let n = 0
  const steps = STEPS.filter((step) =>
    step === 'rollback' ? target.restore : step === 'take-down' ? target.unpublish : true,
  )
  const run = async (step: Step, place: number, rule?: FaultRule) => {
    n += 1
    fault.at(0)
    const { call, lookUp, versions, title } = await openCase(target, clock, step, String(n), image_url)
    fault.at(place, rule)
    const outcome = await call(false)
    const count = fault.count()
    fault.at(0)
    clock.pass(waitMs)
    if (step === 'sync' && outcome === 'unknown' && target.hasUpdate) {
      const isThere = posts().some((post) => post.title === title && String(post.content).includes('Second words.'))
      expect(await lookUp(), `look-up of a sync, request ${place} ${JSON.stringify(rule)}`).toBe(
        isThere ? 'found' : 'absent',
      )
    }
    const isDone = outcome === 'accepted' || outcome === 'taken_down'
    const again = isDone ? outcome : await call(true)
    const shown = posts().filter((post) => post.title === title)
    const seen = shown.map(({ isLive, content }) => ({
      isLive,
      content: String(content).replaceAll(`00c0ffee-${n}`, 'mark'),
    }))
    return { count, again, seen, kept: versions.map((version) => JSON.stringify(version).includes('Second words.')) }
  }
  for (const step of steps) {
    const { count, ...undisturbed } = await run(step, 0)
    expect(count).toBeGreaterThan(0)
    for (let place = 1; place <= count; place += 1)
      for (const [name, rule] of Object.entries(FAULTS)) {
        const { count: _, ...repeated } = await run(step, place, rule)
        expect(repeated, `${step}, request ${place} of ${count} ${name}`).toEqual(undisturbed)
      }
  }
}
