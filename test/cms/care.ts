import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PRICES, runCareGuide, SENTENCE } from '../docs/care-guide.ts'
import { steppedStack } from '../faults/stepped-stack.ts'
import { type Clocked, cron, passTimeAtRest } from '../publishing/scene.ts'
import { rowsIn } from '../support/client.ts'
import { sharedOf } from '../support/global.ts'

/** Post as the CMS stores it: all of it as text, without the times of its changes. */
export type StoredPost = { id: string; whole: string; writes: number }

/** Post to make at a site. `text` is of the site's own form. */
export type NewPost = { title: string; text: string; excerpt: string; tags: string[] }

/** A CMS with posts that the service did not make. */
export type OldBlog = {
  connection: Record<string, unknown>
  /** Pieces of text in the form of the CMS, of which posts are made. Each of `saying` has the sentence once. */
  pieces: { plain: readonly string[]; saying: readonly string[]; join: (pieces: readonly string[]) => string }
  /** Writes published posts, and returns their ids in the same order. */
  write: (posts: readonly NewPost[]) => Promise<string[]>
  /** Reads posts from the CMS's own database. `writes`: number of requests that changed the post so far. */
  read: (ids: readonly string[]) => Promise<StoredPost[]>
  /** Writes that a change and its revert take together. */
  writesOfChange: number
}

type Size = { posts: number; changed: number }

const SEED = Number(process.env.SEED ?? '52')
const WHOLE = process.env.CARE === 'whole'
const MINUTE_MS = 60_000

/** Steps of a sync, and of the work on a set, between which the Workers are killed. */
const STEPS = ['marked', 'claimed', 'answered', 'synced'] as const

type Plan = { posts: NewPost[]; saying: boolean[]; kills: { step: (typeof STEPS)[number]; nth: number }[] }

/** Draws the posts, and where the Workers are killed. */
const planOf = ({ pieces }: OldBlog, { posts, changed }: Size): Plan => {
  const some = fc.array(fc.constantFrom(...pieces.plain), { minLength: 1, maxLength: 4 })
  const one = fc.record({
    before: some,
    after: some,
    saying: fc.constantFrom(...pieces.saying),
    tags: fc.integer({ min: 0, max: 3 }),
  })
  const order = fc.shuffledSubarray(
    Array.from({ length: posts }, (_, n) => n),
    { minLength: changed, maxLength: changed },
  )
  // Not the first change, and not the last.
  const kill = fc.record({ step: fc.constantFrom(...STEPS), nth: fc.integer({ min: 2, max: changed - 1 }) })
  const plan = fc.record({
    drawn: fc.array(one, { minLength: posts, maxLength: posts, size: 'max' }),
    members: order,
    kills: fc.tuple(kill, kill),
  })
  const [{ drawn, members, kills } = expect.fail('nothing was drawn')] = fc.sample(plan, { seed: SEED, numRuns: 1 })
  const saying = drawn.map((_, n) => members.includes(n))
  return {
    saying,
    kills,
    posts: drawn.map(({ before, after, saying: sentence, tags }, n) => ({
      title: `Bread number ${n}`,
      text: pieces.join([...before, ...(saying[n] ? [sentence] : []), ...after]),
      excerpt: n % 3 === 0 ? '' : `All about bread ${n}.`,
      tags: ['Bread', 'Ovens', 'Flour'].slice(0, tags),
    })),
  }
}

/** Tests that the guide on old posts does at a real CMS what it says, although the Workers are killed twice meanwhile. */
export const careAt = (name: string, open: () => Promise<OldBlog>, sizes: { short: Size; whole: Size }): void => {
  const { steps, stack, access } = steppedStack(100)
  const size = WHOLE ? sizes.whole : sizes.short
  const timeout = WHOLE ? 40 * MINUTE_MS : 4 * MINUTE_MS

  test(`the guide on old posts, at ${name} with seed ${SEED}`, { timeout }, async () => {
    const blog = await open()
    const { posts, saying, kills } = planOf(blog, size)
    const ids = await blog.write(posts)
    const found = await blog.read(ids)
    expect(found.filter(({ whole }) => whole.includes(SENTENCE))).toHaveLength(size.changed)

    const killed: string[] = []
    const killAt = async ({ step, nth }: Plan['kills'][number]): Promise<void> => {
      await steps.stopAt(step, nth)
      await stack.crash()
      steps.letGo()
      await stack.restart()
      killed.push(`${step} of change ${nth}`)
    }
    const [ofRelease, ofRevert] = kills as [Plan['kills'][number], Plan['kills'][number]]
    const inRelease = killAt(ofRelease)
    let inRevert: Promise<void> = Promise.resolve()
    let released: StoredPost[] = []
    let times = 0
    const begun = Date.now()
    let adoptedMs = 0

    const { api, end, out } = await runCareGuide(sharedOf(stack), blog.connection, {
      watch: async ({ account, adoption }) => {
        if (adoption === 'done' && adoptedMs === 0) adoptedMs = Date.now() - begun
        if (killed.length === times) return
        // Rows that a killed Worker held are free when its leases have ended.
        const clocked: Clocked = {
          access,
          api: { accountId: account } as Clocked['api'],
          rows: (statement) => rowsIn(access, statement),
        }
        await passTimeAtRest(clocked)
        await cron(access)
        times += 1
      },
      released: async () => {
        await inRelease
        released = await blog.read(ids)
        inRevert = killAt(ofRevert)
      },
    })
    await inRevert

    expect(killed).toHaveLength(2)
    expect(end, out).toMatchObject({ adoption: 'done', state: 'reverted', reverted: size.changed })
    expect(out).toMatch(/^\d+ thin, such as “Bread number \d+”/m)
    const asSent = found.map(({ whole }, n) => (saying[n] ? whole.replaceAll(PRICES.before, PRICES.after) : whole))
    expect(released.map(({ whole }) => whole)).toEqual(asSent)
    const after = await blog.read(ids)
    expect(after.map(({ whole }) => whole)).toEqual(found.map(({ whole }) => whole))
    const writes = after.map((post, n) => post.writes - (found[n]?.writes ?? 0))
    expect(writes).toEqual(saying.map((isSaid) => (isSaid ? blog.writesOfChange : 0)))
    const [left] = await rowsIn<{ adopted: number; open: number; moving: number }>(
      access,
      sql`select
        (select count(*)::int from articles where account_id = ${api.accountId}::int and origin = 'adopted') as adopted,
        (select count(*)::int from deliveries where account_id = ${api.accountId}::int
          and status in ('sending', 'unknown', 'retrying')) as open,
        (select count(*)::int from articles where account_id = ${api.accountId}::int
          and (publish_state <> 'idle' or cardinality(site_lacks) > 0)) as moving`,
    )
    expect(left).toEqual({ adopted: size.posts, open: 0, moving: 0 })
    const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`
    process.stdout.write(
      `\ncare at ${name}: ${size.posts} posts adopted in ${seconds(adoptedMs)}, ${size.changed} changed and reverted, killed at ${killed.join(' and ')}, ${seconds(Date.now() - begun)} in all\n`,
    )
  })
}
