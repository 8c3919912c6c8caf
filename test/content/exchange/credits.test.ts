import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { choosePartners } from '../../../src/content/articles/brief.ts'
import { expireReservations } from '../../../src/content/exchange/commit.ts'
import { verifyLinks } from '../../../src/content/exchange/verify.ts'
import { systemFor } from '../../publishing/system.ts'
import { newAccount, newArticle, rowsIn } from '../../support/client.ts'
import { manyKeys, rowsOf } from '../../support/keys.ts'
import {
  edit,
  join,
  linkTo,
  type Member,
  newHost,
  provedCredits,
  save,
  spend,
  statusOf,
  unbalanced,
} from './members.ts'

const stack = inject('stack')

const ledgerOf = async ({ api, project }: Member) =>
  rowsOf((await api.get(`/backlinks/ledger?project_id=${project}`)).body, 'entries').map(({ reason, delta }) => [
    reason,
    delta,
  ])

describe('the welcome', () => {
  it('is three credits, once for each site, and for no more projects than the account has slots', async () => {
    const api = manyKeys(stack, await newAccount(stack, { projects: 2 }))
    const create = async (website_url: string) => {
      const { status, body, text } = await api.post('/projects', { website_url, language: 'English (AU)' })
      expect(status, text).toBe(201)
      return { api, project: Number(body.project_id), credits: body.backlink_credits }
    }
    const site = `https://${newHost()}`
    const first = await create(site)
    expect(first.credits).toBe(3)
    expect(await ledgerOf({ ...first, site, host: '' })).toEqual([['welcome', 3]])
    await api.post(`/projects/${first.project}/archive`)
    expect((await create(site)).credits).toBe(0)
    const second = await create(`https://${newHost()}`)
    expect(second.credits).toBe(3)
    await api.post(`/projects/${second.project}/archive`)
    expect((await create(`https://${newHost()}`)).credits).toBe(0)
  })

  it('is had for as many projects as there are slots, however many are created at once', {
    tags: ['services'],
  }, async () => {
    // More rounds on a database whose connections really run in parallel.
    for (let round = process.env.DATABASE_URL ? 8 : 1; round > 0; round -= 1) {
      const api = manyKeys(stack, await newAccount(stack, { projects: 8 }))
      const create = async () => {
        const website = { website_url: `https://${newHost()}` }
        const { body } = await api.post('/projects', website, { headers: { 'idempotency-key': website.website_url } })
        return { body, website }
      }
      const { body: first } = await create()
      const id = first.project_id
      await api.post(`/projects/${id}/archive`)
      await rowsIn(
        stack,
        sql`insert into exchange_ledger (account_id, project_id, delta, reason)
          select ${api.accountId}::int, ${id}::int, 0, 'welcome' from generate_series(1, 6)`,
      )
      const made = await Promise.all(Array.from({ length: 8 }, create))
      expect(made.map(({ body }) => body.backlink_credits).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 3])
      for (const { website, body } of made) {
        const again = await api.post('/projects', website, { headers: { 'idempotency-key': website.website_url } })
        expect(again.body).toEqual(body)
      }
    }
  })
})

describe('a partner without credits', () => {
  it('receives no link that counts: no balance changes, and the answer says why', async () => {
    const [giver, partner, paying] = [await join(stack), await join(stack), await join(stack)]
    await spend(stack, partner)
    const { article_id: id, ...saved } = await save(giver, linkTo(`${partner.site}/a`) + linkTo(`${partner.site}/b`))
    expect(saved).toMatchObject({
      backlinks_processed: 0,
      backlinks_warning: expect.stringContaining('backlinks_not_counted'),
      backlinks_not_counted: [
        { url: `${partner.site}/a`, reason: 'no_credits', message: expect.stringContaining('counts for nobody') },
      ],
    })
    const both = linkTo(partner.site) + linkTo(paying.site)
    expect(await edit(giver, id, { content: both })).toMatchObject({
      backlinks_processed: 1,
      backlinks_not_counted: [{ reason: 'no_credits' }],
    })
    expect(await statusOf(partner)).toMatchObject({ credits: 0, debt: 0, received: 3 })
    expect(await provedCredits(giver, partner, paying)).toEqual([1, -3, -1])
    await save(partner, linkTo(paying.site))
    expect(await edit(giver, id, { content: `${both}<p>More.</p>` })).toMatchObject({ backlinks_processed: 2 })
    expect(await provedCredits(giver, partner, paying)).toEqual([2, -3, -2])
    expect(await unbalanced(stack, [giver, partner, paying])).toEqual([])
  })

  it('is not offered', async () => {
    const [giver, partner] = [
      await join(stack, { language: 'Ukrainian' }),
      await join(stack, { language: 'Ukrainian' }),
    ]
    const targets = async () =>
      (await giver.api.get(`/backlink-targets?project_id=${giver.project}&keyword=sheds`)).body.targets
    expect(await targets()).toMatchObject([{ url: partner.site }])
    await spend(stack, partner)
    expect(await targets()).toEqual([])
  })

  it('is listed with the reason: a competitor, or a monthly limit', async () => {
    const giver = await join(stack)
    const capped = await join(stack, {}, { plan: 'agentic_free' })
    const rival = await join(stack, { competitors: [giver.host] })
    await save(giver, linkTo(capped.site))
    const { backlinks_not_counted: told } = await save(giver, linkTo(capped.site) + linkTo(rival.site))
    expect(told?.map(({ reason }) => reason)).toEqual(['monthly_limit', 'competitor'])
  })
})

it('spent credits that are taken back become a debt, which the next earnings pay', async () => {
  const [giver, partner, other] = [await join(stack), await join(stack), await join(stack)]
  const { article_id: id } = await save(giver, linkTo(partner.site))
  await spend(stack, giver)
  await edit(giver, id, { content: '<p>No link.</p>' })
  expect(await statusOf(giver)).toMatchObject({ credits: 0, debt: 1 })
  expect(await provedCredits(giver, partner)).toEqual([-4, 0])
  expect((await save(other, linkTo(giver.site))).backlinks_processed).toBe(0)
  await save(giver, linkTo(partner.site))
  expect(await statusOf(giver)).toMatchObject({ credits: 0, debt: 0 })
  await save(giver, linkTo(other.site))
  expect(await statusOf(giver)).toMatchObject({ credits: 1, debt: 0 })
  expect(await unbalanced(stack, [giver, partner, other])).toEqual([])
})

describe('a commitment', () => {
  const language = 'Vietnamese'

  const committed = async (): Promise<{ giver: Member; partner: Member; id: number }> => {
    const [giver, partner] = [await join(stack, { language }), await join(stack, { language })]
    await rowsIn(
      stack,
      sql`update projects set backlinks_network = false where language = ${language} and id not in (${giver.project}::int, ${partner.project}::int)`,
    )
    const id = await newArticle(giver.api, giver.project, { status: 'Planned', keyword: 'sheds', content: '' })
    expect(await choosePartners(systemFor(stack, giver.api.accountId), id, 'sheds')).toMatchObject([
      { url: partner.site },
    ])
    expect(await statusOf(partner)).toMatchObject({ credits: 2, reserved: 1, received: 0 })
    return { giver, partner, id }
  }

  it('reserves a credit that pays for its link when all others are spent', async () => {
    const { giver, partner, id } = await committed()
    await spend(stack, partner)
    expect((await save(await join(stack), linkTo(partner.site))).backlinks_processed).toBe(0)
    expect((await edit(giver, id, { content: linkTo(partner.site) })).backlinks_processed).toBe(1)
    expect(await statusOf(partner)).toMatchObject({ credits: 0, reserved: 0, received: 3 })
    expect((await ledgerOf(partner)).slice(0, 2).sort()).toEqual([
      ['link_received', -1],
      ['reservation_ended', 1],
    ])
    expect(await unbalanced(stack, [giver, partner])).toEqual([])
  })

  it('gives the credit back when the article is deleted', async () => {
    const { giver, partner, id } = await committed()
    expect((await giver.api.del(`/articles/${id}`)).status).toBe(200)
    expect(await statusOf(partner)).toMatchObject({ credits: 3, reserved: 0 })
    expect(await unbalanced(stack, [giver, partner])).toEqual([])
  })

  it('gives it back when the article is out without the link, once', async () => {
    const { giver, partner, id } = await committed()
    const ctx = systemFor(stack, giver.api.accountId)
    const job = { article_id: id, look: 0, not_before: 0 }
    for (let n = 0; n < 2; n += 1) await verifyLinks(ctx, job)
    expect(await statusOf(partner)).toMatchObject({ credits: 3, reserved: 0 })
    expect(await unbalanced(stack, [giver, partner])).toEqual([])
  })

  it('gives it back after 90 days', async () => {
    const { giver, partner } = await committed()
    const ctx = systemFor(stack, giver.api.accountId)
    await expireReservations(ctx)
    expect(await statusOf(partner)).toMatchObject({ reserved: 1 })
    await rowsIn(
      stack,
      sql`update exchange_commitments set created_at = now() - interval '91 days' where to_project_id = ${partner.project}::int`,
    )
    await expireReservations(ctx)
    expect(await statusOf(partner)).toMatchObject({ credits: 3, reserved: 0 })
    expect(await unbalanced(stack, [giver, partner])).toEqual([])
  })
})

it('the ledger stores no entry twice, and no balance below zero', async () => {
  const [giver, partner] = [await join(stack), await join(stack)]
  await save(giver, linkTo(partner.site))
  const again = rowsIn(
    stack,
    sql`insert into exchange_ledger (account_id, project_id, link_id, key, delta, reason)
      select account_id, project_id, link_id, key, delta, reason from exchange_ledger where project_id = ${giver.project}::int and link_id is not null`,
  )
  await expect(again).rejects.toThrow()
  const below = rowsIn(stack, sql`update projects set backlink_credits = -1 where id = ${giver.project}::int`)
  await expect(below).rejects.toThrow()
})
