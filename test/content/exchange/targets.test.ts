import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { newProject, rowsIn } from '../../support/client.ts'
import { rowsOf } from '../../support/keys.ts'
import { join, linkTo, type Member, newHost, save } from './members.ts'

const stack = inject('stack')

/** Languages that no other test uses: each test has its own exchange. */
const LANGUAGES = [
  'Estonian',
  'Latvian',
  'Lithuanian',
  'Slovenian',
  'Catalan',
  'Malay',
  'Bengali',
  'Persian',
  'Thai',
  'Croatian',
  'Slovak',
]
const exchangeOf = () => {
  const language = LANGUAGES.pop()
  if (language === undefined) throw new Error('no language is left')
  return (settings: Record<string, unknown> = {}, account: Parameters<typeof join>[2] = {}) =>
    join(stack, { language, ...settings }, account)
}

const targetsOf = async ({ api, project }: Member, keyword = 'garden sheds') => {
  const { status, body, text } = await api.get(
    `/backlink-targets?project_id=${project}&keyword=${encodeURIComponent(keyword)}`,
  )
  expect(status, text).toBe(200)
  return body
}

const namesFor = async (member: Member, keyword?: string): Promise<unknown[]> =>
  rowsOf(await targetsOf(member, keyword), 'targets').map((target) => target.project_name)

const enrich = ({ project }: Member, credits: number) =>
  rowsIn(stack, sql`update projects set backlink_credits = ${credits}::int where id = ${project}::int`)

const linked = (from: Member, to: Member, daysAgo: number, status = 'Verified') =>
  rowsIn(
    stack,
    sql`insert into exchange_links (from_project_id, to_project_id, status, target_url, anchor, created_at)
      values (${from.project}::int, ${to.project}::int, ${status}, 'https://x.example', 'x', now() - make_interval(days => ${daysAgo}::int))`,
  )

describe('targets', () => {
  it('are the nearest in topic first, among equals the richest, at most five', async () => {
    const enter = exchangeOf()
    const us = await enter()
    const about = (name: string, description: string) =>
      enter({ business_name: name, business_description: description })
    const both = await about('Both', 'We build garden sheds.')
    await enrich(await about('Poor', 'Bread and cakes.'), 1)
    await enrich(await about('Rich', 'Bread and cakes.'), 500)
    await enrich(await about('Middling', 'Bread and cakes.'), 4)
    await about('Half', 'Gardening tools.')
    await enrich(await about('Both and rich', 'A shed in every garden.'), 20)
    const body = await targetsOf(us)
    expect(
      rowsOf(body, 'targets')
        .map(({ project_name }) => project_name)
        .slice(0, 2),
    ).toEqual(['Both and rich', 'Both'])
    expect(await namesFor(us, 'cakes')).toEqual(['Rich', 'Middling', 'Poor'])
    expect(body).toMatchObject({
      category: 'garden sheds',
      credits: 3,
      instructions: expect.stringContaining('nofollow'),
    })
    expect(rowsOf(body, 'targets')[1]).toEqual({
      url: both.site,
      title: 'Both',
      meta_description: 'We build garden sheds.',
      project_name: 'Both',
    })
  })

  it('are no sites that were not found, are not shown to be their owner’s, or are about something else', async () => {
    const enter = exchangeOf()
    const us = await enter()
    const [dead, unproved] = [await enter(), await enter()]
    const baker = await enter({ business_description: 'Bread and cakes.' })
    await rowsIn(stack, sql`update projects set site_read_at = null where id = ${dead.project}::int`)
    await rowsIn(stack, sql`update projects set owner_shown_at = null where id = ${unproved.project}::int`)
    expect(await namesFor(us)).toEqual([])
    const content = linkTo(dead.site) + linkTo(unproved.site)
    const saved = await save(us, content, { keyword: 'garden sheds' })
    expect(saved.backlinks_processed).toBe(0)
    expect(saved.backlinks_warning).toBeUndefined()
    await rowsIn(
      stack,
      sql`insert into integrations (account_id, project_id, platform, name, url, sealed_secrets)
        values (${unproved.api.accountId}::int, ${unproved.project}::int, 'ghost', 'G', ${unproved.site}, '')`,
    )
    expect(await namesFor(us)).toEqual([`Business of ${unproved.host}`])
    const warned = await save(us, '<p>Words.</p>', { keyword: 'garden sheds' })
    expect(warned.backlinks_warning).toContain('/backlink-targets')
    expect((await save(us, content)).backlinks_processed).toBe(1)
    expect(await namesFor(us, 'bread')).toEqual([`Business of ${baker.host}`])
  })

  it('are pages of the partner’s own site near the keyword, else its home page', async () => {
    const enter = exchangeOf()
    const [us, partner] = [await enter(), await enter({ business_name: 'P' })]
    const page = (key: string, title: string) =>
      rowsIn(
        stack,
        sql`insert into site_pages (project_id, url, url_key, title, meta_description)
        values (${partner.project}::int, ${`https://${key}`}, ${key}, ${title}, 'D')`,
      )
    await page(partner.host, 'Home of P')
    await page(`${partner.host}/bread`, 'Bread')
    expect(rowsOf(await targetsOf(us), 'targets')).toEqual([
      { url: partner.site, title: 'Home of P', meta_description: 'D', project_name: 'P' },
    ])
    await page(`${partner.host}/sheds`, 'Garden sheds compared')
    expect(rowsOf(await targetsOf(us), 'targets')).toMatchObject([
      { url: `${partner.site}/sheds`, title: 'Garden sheds compared' },
    ])
    await page('elsewhere.example/sheds', 'Garden sheds, garden sheds')
    await rowsIn(stack, sql`delete from site_pages where url_key = ${`${partner.host}/sheds`}`)
    expect(rowsOf(await targetsOf(us), 'targets')).toMatchObject([{ url: partner.site }])
    expect((await save(us, linkTo(partner.site))).backlinks_processed).toBe(1)
  })

  it('speak the same language, belong to another account, and take part', async () => {
    const enter = exchangeOf()
    const us = await enter()
    await enter({}, us.api)
    await enter({ language: 'French' })
    await enter({ backlinks_network: false })
    const partner = await enter()
    const suspended = await enter()
    await rowsIn(stack, sql`update accounts set suspended_at = now() where id = ${suspended.api.accountId}::int`)
    expect(await namesFor(us)).toEqual([`Business of ${partner.host}`])
  })

  it('are no competitors, no site the account has itself, and of twins only the one that counts', async () => {
    const enter = exchangeOf()
    const own = newHost()
    const [named, twin] = [await enter(), await enter({ business_name: 'First' })]
    const us = await enter({ competitors: [named.host], website_url: `https://${own}` })
    await enter({ competitors: [us.host, own] })
    await enter({ website_url: twin.site, business_name: 'Second' })
    await enter({ website_url: `https://www.${own}`, business_name: 'Ourselves' })
    expect(await namesFor(us)).toEqual(['First'])
    expect((await save(us, linkTo(twin.site))).backlinks_processed).toBe(1)
  })

  it('were not linked for 90 days, and did not link to us for 180', async () => {
    const enter = exchangeOf()
    const us = await enter()
    const [recent, old, back, longBack, removed] = [
      await enter(),
      await enter(),
      await enter(),
      await enter(),
      await enter(),
    ]
    await linked(us, recent, 89)
    await linked(us, old, 91)
    await linked(back, us, 179)
    await linked(longBack, us, 181)
    await linked(us, removed, 1, 'Removed')
    expect((await namesFor(us)).sort()).toEqual(
      [old, longBack, removed].map(({ host }) => `Business of ${host}`).sort(),
    )
    const { article_id: id } = await save(us, linkTo(old.site))
    expect(await namesFor(us)).not.toContain(`Business of ${old.host}`)
    await us.api.del(`/articles/${id}`)
    expect(await namesFor(us)).toContain(`Business of ${old.host}`)
  })

  it('have room in their month', async () => {
    const enter = exchangeOf()
    const [us, other, capped] = [await enter(), await enter(), await enter({}, { plan: 'agentic_free' })]
    expect(await namesFor(us)).toContain(`Business of ${capped.host}`)
    await linked(other, capped, 0, 'Scheduled')
    expect(await namesFor(us)).toEqual([`Business of ${other.host}`])
  })

  it('are none for a project that takes no part, and the answer says how to join; each has a name', async () => {
    const enter = exchangeOf()
    const nameless = await enter({ business_name: '' })
    const us = await enter({ backlinks_network: false })
    expect(await targetsOf(us)).toMatchObject({
      targets: [],
      instructions: expect.stringContaining(`PUT /projects/${us.project}`),
    })
    // A partner without a name has its host as its name. An agent uses it as the anchor.
    await us.api.put(`/projects/${us.project}`, { backlinks_network: true })
    expect(rowsOf(await targetsOf(us), 'targets')).toMatchObject([
      { title: nameless.host, project_name: nameless.host },
    ])
    const alone = await exchangeOf()()
    expect(await targetsOf(alone, '!!! \'"\\ & | :*')).toMatchObject({
      targets: [],
      instructions: expect.stringMatching(/no partner/i),
    })
  })

  it('find the one that is near among very many', async () => {
    const enter = exchangeOf()
    const us = await enter()
    const [{ language }] = (await rowsIn<{ language: string }>(
      stack,
      sql`select language from projects where id = ${us.project}::int`,
    )) as [{ language: string }]
    await rowsIn(
      stack,
      sql`with owner as (insert into accounts (email, plan, project_slots) values (${`${newHost()}@many.example`}, 'pro', 5000) returning id)
        insert into projects (account_id, website_url, website_key, business_name, business_description, language, backlink_credits,
          backlinks_network, site_read_at, owner_shown_at)
        select owner.id, 'https://' || n || ${newHost()}, n || ${newHost()}, 'Bakery ' || n,
          case when n = 2500 then 'Zymurgy for bakers' else 'Bread and cakes' end, ${language}, case when n = 2500 then 1 else 1 + n % 40 end,
          true, now(), now()
        from owner, generate_series(1, 3000) n`,
    )
    expect((await namesFor(us, 'zymurgy for everybody'))[0]).toBe('Bakery 2500')
  })
})

it.each(['keyword=x', 'project_id=1', 'project_id=1&keyword=', 'project_id=0&keyword=x'])(
  '%s is a bad request',
  async (query) => {
    const us = await join(stack)
    const { status, body } = await us.api.get(`/backlink-targets?${query}`)
    expect(status).toBe(400)
    expect(body.details).toMatchObject([
      { field: query.startsWith('keyword') || query.includes('=0') ? 'project_id' : 'keyword' },
    ])
  },
)

it('a project of another account is 403, and an absent one 404', async () => {
  const us = await join(stack)
  const foreign = await newProject((await join(stack)).api)
  for (const path of ['/backlink-targets', '/backlinks', '/backlinks/status', '/backlinks/ledger'])
    for (const [id, status] of [
      [foreign, 403],
      [2_147_483_647, 404],
    ])
      expect((await us.api.get(`${path}?project_id=${id}&keyword=x`)).status).toBe(status)
})
