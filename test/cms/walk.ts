import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, type Api, newAccount, newArticle, newProject } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'

/** A post as its editors see it. */
export type EditedPost = {
  id: string
  /** `gone`: in the trash. */
  state: 'public' | 'hidden' | 'gone'
  url: string
  title: string
  /** The text without markup. */
  text: string
  description: string
  tags: string[]
  /** Empty at a CMS whose categories are tags. */
  categories: string[]
  /** True if it is public, but not for everybody. */
  isLocked: boolean
}

/** Changes an editor makes to a post; a field of words, or a step of its life. */
export type EditorAct =
  | { kind: 'draft' | 'private' | 'archive' | 'schedule' | 'show' | 'lock' | 'trash' | 'restore' | 'remove' }
  | { kind: 'rename' | 'move' | 'correct' | 'describe' | 'tag' | 'categorize'; words: string }

/** A CMS with its editors. */
export type EditedSite = {
  /** The body that connects it to a project. */
  connection: Record<string, unknown>
  /** Every post made since the walk began, those in the trash too. */
  posts: () => Promise<EditedPost[]>
  /** Begins a walk: the posts of walks before are left out. */
  begin: () => Promise<void>
  acts: readonly EditorAct['kind'][]
  act: (id: string, act: EditorAct) => Promise<void>
  /** True if it keeps categories apart from tags. */
  hasCategories: boolean
}

const CALLS = [
  'publish',
  'publish',
  'title',
  'text',
  'tags',
  'category',
  'update',
  'sync',
  'rollback',
  'unpublish',
  'detach',
] as const
type Call = (typeof CALLS)[number]
type Step = { editor: EditorAct['kind'] } | { caller: Call }

const stepsOf = (site: EditedSite): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      fc.constantFrom(...site.acts).map((editor) => ({ editor })),
      fc.constantFrom(...CALLS).map((caller) => ({ caller })),
    ),
    { minLength: 3, maxLength: 8 },
  )

const FIELDS = ['title', 'content', 'meta_description', 'tags', 'category'] as const
type Field = (typeof FIELDS)[number]

const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '')

/** Returns the words of a post by field, in a form that can be compared. */
const wordsOf = (post: EditedPost): Record<Field, string[]> => ({
  title: [post.title],
  content: [letters(post.text)],
  meta_description: post.description === '' ? [] : [post.description],
  tags: post.tags,
  category: post.categories,
})

type Saved = { title: string; content: string; meta_description: string; tags: string[]; category: string }
const savedWords = (saved: Saved): Record<Field, string[]> => ({
  title: [saved.title],
  content: [letters(saved.content.replace(/<[^>]*>/g, ''))],
  meta_description: [saved.meta_description],
  tags: saved.tags,
  category: saved.category === '' ? [] : [saved.category],
})

/** Seeds and numbers of walks; WALKS=500 runs more of them. */
const WALKS = Number(process.env.WALKS ?? '8')
const SEED = Number(process.env.SEED ?? '37')
const FIRST = Number(process.env.FIRST ?? '0')

/** Random walks of editors and a caller, on one post at a time, at each of the sites. */
export const walkOn = (sites: Record<string, () => Promise<EditedSite>>): void => {
  let stack: TestStack
  beforeAll(async () => {
    stack = await startTestStack({ timeScale: 10 })
  })
  afterAll(() => stack.close())

  const timeout = 60_000 + WALKS * 60_000
  test.each(Object.entries(sites))(`%s: ${WALKS} walks`, { timeout }, async (name, openSite) => {
    const site = await openSite()
    const target = targetOf(stack)
    const api = manyKeys(target, await newAccount(target))
    const project = await newProject(api)
    const connected = await api.post(`/projects/${project}/integrations`, site.connection)
    expect(connected.status, connected.text).toBe(201)
    const walks = fc.sample(stepsOf(site), { seed: SEED, numRuns: WALKS })
    for (const [n, steps] of walks.entries()) if (n >= FIRST) await walk(api, project, site, `${name}${n}`, steps)
  })
}

const walk = async (api: Api, project: number, site: EditedSite, n: string, steps: readonly Step[]): Promise<void> => {
  await site.begin()
  let count = 0
  const fresh = (what: string): string => {
    count += 1
    return `${what} ${n}x${count}`
  }
  let saved: Saved = {
    title: fresh('Our title'),
    content: `<p>${fresh('Words of ours')}.</p>`,
    meta_description: fresh('What we describe'),
    tags: [fresh('Our tag')],
    category: site.hasCategories ? fresh('Our category') : '',
  }
  const id = await newArticle(api, project, saved)
  const path = `/articles/${id}`
  const sent: Record<Field, Set<string>> = {
    title: new Set(),
    content: new Set(),
    meta_description: new Set(),
    tags: new Set(),
    category: new Set(),
  }
  const remember = () => {
    for (const [field, words] of Object.entries(savedWords(saved)))
      for (const one of words) sent[field as Field].add(one)
  }
  remember()
  let own: string | null = null
  const told: string[] = []
  const why = () => `walk ${n} (SEED=${SEED}, FIRST skips the walks before):\n${told.join('\n')}`

  const change = async (edits: Partial<Saved>): Promise<Answer> => {
    const answer = await api.post(`${path}/sync`, edits)
    // A refusal of the site leaves the edits saved here.
    if (answer.status === 200 || answer.body.saved === true) saved = { ...saved, ...edits }
    return answer
  }
  const update = async (): Promise<Answer> => {
    const edits = { meta_description: fresh('What we describe') }
    sent.meta_description.add(edits.meta_description)
    const answer = await api.put(path, { ...edits, sync: true })
    if (answer.status === 200 || answer.body.saved === true) saved = { ...saved, ...edits }
    return answer
  }
  const CALL: Record<Call, () => Promise<Answer>> = {
    publish: () => api.post(`${path}/publish`),
    title: () => change({ title: fresh('Our title') }),
    text: () => change({ content: `<p>${fresh('Words of ours')}.</p>` }),
    tags: () => change({ tags: [fresh('Our tag')] }),
    category: () => change(site.hasCategories ? { category: fresh('Our category') } : { tags: [fresh('Our tag')] }),
    update,
    sync: () => api.post(`${path}/sync`),
    rollback: () => api.post(`${path}/rollback`),
    unpublish: () => api.post(`${path}/unpublish`),
    detach: () => api.post(`${path}/detach`),
  }
  /** Fields that a call claims to have changed at the site. */
  const CLAIMS: Partial<Record<Call, readonly Field[]>> = {
    publish: FIELDS,
    sync: FIELDS,
    title: ['title'],
    text: ['content'],
    tags: ['tags'],
    category: site.hasCategories ? ['category'] : ['tags'],
    update: ['meta_description'],
  }

  let before = await site.posts()
  const edit = async (kind: EditorAct['kind']) => {
    if (!before.some((post) => post.id === own)) return
    const words = fresh(`By an editor`)
    told.push(`editor ${kind} ${words}`)
    await site.act(own ?? '', { kind, words } as EditorAct)
    before = await site.posts()
  }

  const call = async (kind: Call) => {
    // A published article gets the same answer again, without a call to its site.
    const isOut = kind === 'publish' && (await api.get(path)).body.Status === 'Published'
    const answer = await CALL[kind]()
    remember()
    const after = await site.posts()
    const { status, body } = answer
    told.push(`caller ${kind}: ${status} ${answer.text}`)
    const isNew = (post: EditedPost) => !before.some((old) => old.id === post.id)
    const was = before.find((post) => post.id === own)
    const didSend = status === 200 && !isOut
    const published = kind === 'publish' && didSend && body.status === 'published'

    // Never a second post: there is a new one only if the article had none.
    const made = after.filter(isNew)
    const mayMake = kind === 'publish' && (was === undefined || was.state === 'gone')
    expect(made.length, why()).toBeLessThanOrEqual(mayMake ? 1 : 0)
    if (made[0]) own = made[0].id
    if (kind === 'detach' && status === 200) own = null
    const now = after.find((post) => post.id === own)

    for (const old of before) {
      const post = after.find(({ id: other }) => other === old.id)
      // A post is never deleted, and one that an editor took down never becomes public.
      expect(post, why()).toBeDefined()
      if (!post) continue
      if (old.state !== 'public' && post.state === 'public') expect([published, post.id], why()).toEqual([true, own])
      // Never an editor's words lost without a warning that names the field.
      const [words, kept] = [wordsOf(old), wordsOf(post)]
      for (const field of FIELDS) {
        const lost = words[field].filter((one) => !kept[field].includes(one) && !sent[field].has(one))
        if (lost.length === 0) continue
        expect((body.warnings as string[] | undefined)?.join(' ') ?? '', `${field} lost: ${why()}`).toContain(
          `${field} (it was`,
        )
      }
      // A refusal changes nothing.
      if (status >= 400) expect(post, why()).toEqual(old)
    }

    // Never an answer that the site does not hold.
    before = after
    if (status !== 200 || !didSend) return
    if (published) expect(now, why()).toMatchObject({ state: 'public', url: body.url })
    if (kind === 'unpublish')
      expect(now?.state ?? 'gone', why()).toBe(/no longer has the post/.test(String(body.message)) ? 'gone' : 'hidden')
    if (body.status === 'synced' || body.status === 'rolled_back')
      expect(now?.state === 'public' ? now.url : null, why()).toBe(body.url)
    if (now?.isLocked && now.state === 'public' && kind !== 'detach')
      expect(String(body.warnings), why()).toContain('can read the post')
    if (published || body.status === 'synced') {
      expect(now, why()).toBeDefined()
      const [ours, theirs] = [savedWords(saved), wordsOf(now as EditedPost)]
      for (const field of CLAIMS[kind] ?? []) expect(theirs[field], `${field}: ${why()}`).toEqual(ours[field])
    }
  }

  for (const step of [{ caller: 'publish' as const }, ...steps])
    if ('caller' in step) await call(step.caller)
    else await edit(step.editor)
}
