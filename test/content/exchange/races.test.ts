/** @module-tag services */
import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { choosePartners } from '../../../src/content/articles/brief.ts'
import { systemFor } from '../../publishing/system.ts'
import { type Api, anotherKey, newArticle, rowsIn } from '../../support/client.ts'
import { edit, fund, join, linkTo, type Member, newHost, provedCredits, save, statusOf, unbalanced } from './members.ts'

const stack = inject('stack')

/** Number of races: more on a database whose connections really run in parallel. */
const RACES = process.env.DATABASE_URL ? 40 : 24
const AT_ONCE = 8

const several = (count: number) => Promise.all(Array.from({ length: count }, () => join(stack)))

/** Members that can pay for every link of a race. */
const rich = async (count: number) => {
  const members = await several(count)
  for (const member of members) await fund(stack, member, RACES)
  return members
}

const contentOf = (partners: readonly Member[], n: number): string =>
  `<p>${n}</p>${partners.map(({ site }) => linkTo(`${site}/${n}`)).join('')}`

/** Returns every second, third … partner, forwards and backwards: no two calls touch the same ones in the same order. */
const pick = (partners: readonly Member[], n: number): Member[] => {
  const some = partners.filter((_, index) => ((n + 1) >> index) % 2 === 1)
  return n % 2 === 0 ? some : some.reverse()
}

/** Runs calls so many at a time, each batch under a key of its own; their statuses. */
const volley = async (
  giver: Member,
  calls: readonly ((api: Api) => Promise<{ status: number }>)[],
): Promise<number[]> => {
  const statuses: number[] = []
  for (let from = 0; from < calls.length; from += AT_ONCE) {
    const api = await anotherKey(stack, giver.api)
    const batch = await Promise.all(calls.slice(from, from + AT_ONCE).map((call) => call(api)))
    statuses.push(...batch.map(({ status }) => status))
  }
  return statuses
}

/** For each article of the givers: the partners its content names, and those it has links to. */
const linkedAndCounted = (givers: readonly Member[], partners: readonly Member[]) =>
  rowsIn<{ id: number; linked: number[]; counted: number[] }>(
    stack,
    sql`select a.id,
        array(select p.id from projects p where p.id = any(${sql.param(partners.map(({ project }) => project))}::int[])
          and position(p.website_key in a.content) > 0 order by p.id) as linked,
        array(select to_project_id from exchange_links l where l.article_id = a.id and l.status <> 'Removed' order by to_project_id) as counted
      from articles a where a.project_id = any(${sql.param(givers.map(({ project }) => project))}::int[])`,
  )

it('saves of one article racing each other leave the links of the content that stays', async () => {
  const [partners, giver] = [await rich(4), await join(stack)]
  const { article_id: id } = await save(giver, contentOf(partners, 0))
  const calls = Array.from(
    { length: RACES },
    (_, n) => (api: Api) => api.put(`/articles/${id}`, { content: contentOf(pick(partners, n), n) }),
  )
  const statuses = await volley(giver, calls)
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(RACES / 2)
  expect(await unbalanced(stack, [giver, ...partners])).toEqual([])
  for (const { linked, counted } of await linkedAndCounted([giver], partners)) expect(counted).toEqual(linked)
  const [given = 0, ...received] = await provedCredits(giver, ...partners)
  expect(received.reduce((sum, credits) => sum + credits, given)).toBe(0)
})

it('simultaneous changes and deletions of many articles keep credits and ledger equal', async () => {
  const [partners, givers] = [await rich(4), await several(2)]
  const work = givers.map(async (giver) => {
    const ids: number[] = []
    for (let n = 0; n < AT_ONCE; n += 1) ids.push((await save(giver, contentOf(pick(partners, n), n))).article_id)
    const calls = Array.from({ length: RACES / 2 }, (_, n) => {
      const id = ids[n % ids.length] ?? 0
      if (n >= ids.length && n % 11 === 0) return (api: Api) => api.del(`/articles/${id}`)
      if (n % 5 === 0)
        return (api: Api) =>
          api.post('/articles', {
            project_id: giver.project,
            keyword: `race ${n}`,
            content: contentOf(pick(partners, n + 3), n),
          })
      return (api: Api) => api.put(`/articles/${id}`, { content: contentOf(pick(partners, n + 1), n) })
    })
    return await volley(giver, calls)
  })
  const statuses = (await Promise.all(work)).flat()
  expect(statuses.filter((status) => ![200, 201, 404, 409].includes(status))).toEqual([])
  expect(await unbalanced(stack, [...givers, ...partners])).toEqual([])
  for (const { linked, counted } of await linkedAndCounted(givers, partners)) expect(counted).toEqual(linked)
  await provedCredits(...givers, ...partners)
})

it('a simultaneous save and deletion of an article leave no link', async () => {
  const [[partner], giver] = [(await rich(1)) as [Member], await join(stack)]
  const pairs = RACES / 4
  for (let from = 0; from < pairs; from += AT_ONCE / 2) {
    const api = await anotherKey(stack, giver.api)
    const ids = await Promise.all(
      Array.from(
        { length: Math.min(AT_ONCE / 2, pairs - from) },
        async () => (await save(giver, '<p>Words.</p>')).article_id,
      ),
    )
    await Promise.all(
      ids.flatMap((id) => [api.put(`/articles/${id}`, { content: linkTo(partner.site) }), api.del(`/articles/${id}`)]),
    )
    for (const id of ids) await giver.api.del(`/articles/${id}`)
  }
  expect(await provedCredits(giver, partner)).toEqual([0, 0])
  expect(await unbalanced(stack, [giver, partner])).toEqual([])
})

it('the last link a receiver’s month has room for is given once', async () => {
  const capped = await join(stack, { website_url: `https://${newHost()}` }, { plan: 'agentic_free' })
  const givers = await several(6)
  await Promise.all(givers.map((giver) => save(giver, linkTo(capped.site))))
  const [received, ...given] = await provedCredits(capped, ...givers)
  expect(received).toBe(-1)
  expect(given.reduce((sum, credits) => sum + credits, 0)).toBe(1)
})

it('a partner’s last credits pay for exactly that many links, and every answer says if its link counts', async () => {
  const [partner, givers] = [await join(stack), await several(8)]
  const ids = await Promise.all(
    givers.map(async (giver, n) => (n % 2 === 0 ? undefined : (await save(giver, '<p>Words.</p>')).article_id)),
  )
  const content = linkTo(partner.site)
  const saved = await Promise.all(
    givers.map((giver, n) => {
      const id = ids[n]
      return id === undefined ? save(giver, content) : edit(giver, id, { content })
    }),
  )
  expect(saved.filter(({ backlinks_processed }) => backlinks_processed === 1)).toHaveLength(3)
  const refused = saved.filter(({ backlinks_processed }) => backlinks_processed === 0)
  expect(refused.map(({ backlinks_not_counted }) => backlinks_not_counted)).toEqual(
    Array(5).fill([
      { url: `${partner.site}/`, reason: 'no_credits', message: expect.stringContaining('no credit left') },
    ]),
  )
  expect(await statusOf(partner)).toMatchObject({ credits: 0, debt: 0, received: 3 })
  const given = await provedCredits(...givers)
  expect(given).toEqual(saved.map(({ backlinks_processed }) => backlinks_processed))
  expect(await unbalanced(stack, [partner, ...givers])).toEqual([])
})

it('a last credit is reserved for one article, or pays for one link, never both', async () => {
  const language = 'Hungarian'
  for (let round = 0; round < 3; round += 1) {
    const partner = await join(stack, { language })
    await fund(stack, partner, -2)
    const [rivals, giver] = [
      await Promise.all([1, 2, 3].map(() => join(stack, { language, backlinks_network: true }))),
      await join(stack),
    ]
    for (const rival of rivals) await fund(stack, rival, -3)
    const ids = await Promise.all(
      rivals.map((rival) => newArticle(rival.api, rival.project, { status: 'Planned', keyword: 'sheds', content: '' })),
    )
    const [link, ...chosen] = await Promise.all([
      save(giver, linkTo(partner.site)),
      ...rivals.map((rival, n) => choosePartners(systemFor(stack, rival.api.accountId), ids[n] ?? 0, 'sheds')),
    ])
    const reserved = chosen.flat().filter(({ url }) => url === partner.site)
    expect(reserved.length + link.backlinks_processed).toBe(1)
    expect(await statusOf(partner)).toMatchObject({ credits: 0, debt: 0, reserved: reserved.length })
    expect(await unbalanced(stack, [partner, giver, ...rivals])).toEqual([])
    await partner.api.put(`/projects/${partner.project}`, { backlinks_network: false })
  }
})
