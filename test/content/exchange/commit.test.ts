import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { choosePartners } from '../../../src/content/articles/brief.ts'
import { systemFor } from '../../publishing/system.ts'
import { newArticle, rowsIn } from '../../support/client.ts'
import { join, type Member } from './members.ts'

const stack = inject('stack')

const planned = (member: Member) =>
  newArticle(member.api, member.project, { status: 'Planned', keyword: 'garden sheds', content: '' })

const commit = (member: Member, article: number) =>
  choosePartners(systemFor(stack, member.api.accountId), article, 'garden sheds')

const inExchange =
  (language: string) =>
  (settings: Record<string, unknown> = {}) =>
    join(stack, { language, ...settings })

it('two partners are chosen once and never change', async () => {
  const enter = inExchange('Bulgarian')
  const us = await enter()
  const sheds = await enter({ business_name: 'Sheds & Sons', business_description: 'Garden sheds' })
  const nameless = await enter({ business_name: '', business_description: 'Garden sheds' })
  await enter()
  // A name of before, which other accounts get in briefs and lists of targets, is one line.
  await rowsIn(
    stack,
    sql`update projects set business_name = ${'Sheds\n\n& \u2028Sons'} where id = ${sheds.project}::int`,
  )
  const id = await planned(us)
  const expected = [
    { url: sheds.site, anchor: 'Sheds & Sons' },
    { url: nameless.site, anchor: nameless.host },
  ]
  const first = await commit(us, id)
  expect([...first].sort((a, b) => (a.url === sheds.site ? -1 : b.url === sheds.site ? 1 : 0))).toEqual(expected)
  await enter({ business_description: 'Garden sheds, garden sheds, sheds for gardens' })
  await sheds.api.put(`/projects/${sheds.project}`, { backlinks_network: false })
  expect(await commit(us, id)).toEqual(first)
})

it('two briefs read at once say the same, and two articles do not share a partner', {
  tags: ['services'],
}, async () => {
  const enter = inExchange('Slovak')
  const us = await enter()
  for (let n = 0; n < 8; n += 1) await enter()
  const articles = [await planned(us), await planned(us), await planned(us)]
  const chosen = await Promise.all(articles.flatMap((id) => [commit(us, id), commit(us, id), commit(us, id)]))
  for (let n = 0; n < chosen.length; n += 3) {
    expect(chosen[n]).toHaveLength(2)
    expect(chosen[n + 1]).toEqual(chosen[n])
    expect(chosen[n + 2]).toEqual(chosen[n])
  }
  const partners = chosen
    .filter((_, n) => n % 3 === 0)
    .flat()
    .map(({ url }) => url)
  expect(new Set(partners).size).toBe(6)
})

it('partners that will link to us are not chosen', async () => {
  const enter = inExchange('Serbian')
  const [us, other] = [await enter(), await enter()]
  expect(await commit(other, await planned(other))).toMatchObject([{ url: us.site }])
  expect(await commit(us, await planned(us))).toEqual([])
})

it('a project that takes no part, a draft and another account’s article get none', async () => {
  const enter = inExchange('Hebrew')
  const [outside, us, other] = [await enter({ backlinks_network: false }), await enter(), await enter()]
  expect(await commit(outside, await planned(outside))).toEqual([])
  expect(await commit(us, await newArticle(us.api, us.project, { content: '' }))).toEqual([])
  const id = await planned(us)
  expect(await commit(other, id)).toEqual([])
  const [row] = await rowsIn<{ at: unknown }>(
    stack,
    sql`select partners_committed_at as at from articles where id = ${id}::int`,
  )
  expect(row?.at).toBeNull()
})
