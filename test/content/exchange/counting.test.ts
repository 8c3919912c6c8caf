import { describe, expect, inject, it } from 'vitest'
import { rowsOf } from '../../support/keys.ts'
import { edit, join, linkTo, newHost, provedCredits, save, statusOf } from './members.ts'

const stack = inject('stack')
const OTHER = linkTo('https://unknown.example/page')

describe('a link to a partner', () => {
  it('earns its giver one credit and costs its receiver one, however often the article links there', async () => {
    const [giver, partner] = [await join(stack), await join(stack)]
    const links = linkTo(`${partner.site}/a?x=1#top`) + linkTo(`http://www.${partner.host}/b`) + linkTo(partner.site)
    const saved = await save(giver, links + OTHER)
    expect(saved.backlinks_processed).toBe(1)
    expect(saved).not.toHaveProperty('backlinks_warning')
    expect(await provedCredits(giver, partner)).toEqual([1, -1])
    expect(await statusOf(giver)).toMatchObject({ participating: true, given: 1, received: 0, pending: 0 })
    expect(await statusOf(partner)).toMatchObject({
      given: 0,
      received: 1,
      pending: 1,
      velocity_cap: null,
      velocity_used: 1,
    })
    const { body } = await partner.api.get(`/backlinks?project_id=${partner.project}`)
    expect(body).toMatchObject({
      earned: [],
      earned_count: 0,
      scheduled_count: 1,
      velocity: { cap: null, used: 1, competitor_gap_percent: null, competitor_gap_target: null },
    })
    expect(body.note).toMatch(/source_dr/)
    expect(rowsOf(body, 'scheduled')).toEqual([
      {
        id: expect.any(Number),
        scheduled_since: expect.stringMatching(/Z$/),
        source_dr: null,
        source_domain: giver.host,
        source_business: `Business of ${giver.host}`,
        source_url: null,
        target_url: `${partner.site}/a?x=1#top`,
        anchor: 'about it',
        status: 'Scheduled',
        date: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ])
  })

  it('counts once an article and partner: two articles and two partners are four credits', async () => {
    const [giver, one, two] = [await join(stack), await join(stack), await join(stack)]
    const content = linkTo(one.site) + linkTo(two.site)
    expect((await save(giver, content)).backlinks_processed).toBe(2)
    expect((await save(giver, content)).backlinks_processed).toBe(2)
    expect(await provedCredits(giver, one, two)).toEqual([4, -2, -2])
    const { body } = await giver.api.get(`/backlinks/ledger?project_id=${giver.project}`)
    const [last] = rowsOf(body, 'entries')
    expect(body).toMatchObject({ count: 5, balance: 7, debt: 0, next_offset: null })
    expect(last).toEqual({
      id: expect.any(Number),
      link_id: expect.any(Number),
      delta: 1,
      reason: 'link_given',
      partner: expect.stringMatching(new RegExp(`^(${one.host}|${two.host})$`)),
      article_id: expect.any(Number),
      at: expect.stringMatching(/Z$/),
    })
    const received = await one.api.get(`/backlinks/ledger?project_id=${one.project}`)
    expect(rowsOf(received.body, 'entries')[0]).toMatchObject({ delta: -1, reason: 'link_received', article_id: null })
  })

  it('is taken back with the link or the article, and given again when it returns', async () => {
    const [giver, one, two] = [await join(stack), await join(stack), await join(stack)]
    const { article_id: id } = await save(giver, linkTo(one.site))
    expect((await edit(giver, id, { content: linkTo(one.site) + linkTo(two.site) })).backlinks_processed).toBe(2)
    expect(await provedCredits(giver, one, two)).toEqual([2, -1, -1])
    expect((await edit(giver, id, { content: linkTo(two.site) })).backlinks_processed).toBe(1)
    expect(await provedCredits(giver, one, two)).toEqual([1, 0, -1])
    expect((await edit(giver, id, { content: linkTo(two.site) + linkTo(one.site) })).backlinks_processed).toBe(2)
    expect(await provedCredits(giver, one, two)).toEqual([2, -1, -1])
    expect((await giver.api.del(`/articles/${id}`)).status).toBe(200)
    expect(await provedCredits(giver, one, two)).toEqual([0, 0, 0])
    const { body } = await one.api.get(`/backlinks/ledger?project_id=${one.project}`)
    expect(rowsOf(body, 'entries').map(({ reason, delta }) => [reason, delta])).toEqual([
      ['link_received_taken_back', 1],
      ['link_received', -1],
      ['link_received_taken_back', 1],
      ['link_received', -1],
      ['welcome', 3],
    ])
    expect((await one.api.get(`/backlinks?project_id=${one.project}`)).body).toMatchObject({ scheduled: [] })
  })

  it('stays counted when other fields change, and when its partner leaves the exchange', async () => {
    const [giver, partner] = [await join(stack), await join(stack)]
    const { article_id: id } = await save(giver, linkTo(partner.site))
    expect((await edit(giver, id, { title: 'Another title' })).backlinks_processed).toBe(1)
    await partner.api.put(`/projects/${partner.project}`, { backlinks_network: false })
    expect((await edit(giver, id, { content: `${linkTo(partner.site)}<p>More.</p>` })).backlinks_processed).toBe(1)
    expect(await provedCredits(giver, partner)).toEqual([1, -1])
    expect((await save(giver, linkTo(partner.site))).backlinks_processed).toBe(0)
  })

  it('belongs to the narrowest site', async () => {
    const host = newHost()
    const whole = await join(stack, { website_url: `https://${host}` })
    const blog = await join(stack, { website_url: `https://www.${host}/blog/` })
    const giver = await join(stack)
    await save(giver, linkTo(`https://${host}/blog/post`))
    expect(await provedCredits(whole, blog)).toEqual([0, -1])
    await save(giver, linkTo(`https://${host}/blogs/post`))
    expect(await provedCredits(whole, blog, giver)).toEqual([-1, -1, 2])
  })
})

describe('no credit comes from', () => {
  it.each(['nofollow', 'sponsored', 'ugc', 'noopener NoFollow', 'external ugc'])(
    'a link with rel="%s"',
    async (rel) => {
      const [giver, partner] = [await join(stack), await join(stack)]
      expect((await save(giver, linkTo(partner.site, rel))).backlinks_processed).toBe(0)
      expect(
        (await save(giver, linkTo(partner.site, rel) + linkTo(partner.site, 'noopener'))).backlinks_processed,
      ).toBe(1)
      expect(await provedCredits(giver, partner)).toEqual([1, -1])
    },
  )

  it('a link to another site of the same account, even if another account claims that site too', async () => {
    const giver = await join(stack)
    const sister = await join(stack, {}, giver.api)
    const outsider = await join(stack, { website_url: sister.site })
    const { article_id: id, ...saved } = await save(giver, linkTo(sister.site) + linkTo(giver.site))
    expect(saved).toMatchObject({
      backlinks_processed: 0,
      backlinks_warning: expect.stringContaining('GET /backlink-targets'),
    })
    expect(await provedCredits(giver, sister, outsider)).toEqual([0, 0, 0])
  })

  it('a link to a competitor, whichever of the two names the other, and to hosts below the domain named', async () => {
    const [named, naming] = [await join(stack), await join(stack, { website_url: `https://shop.${newHost()}` })]
    const giver = await join(stack, { competitors: [named.host] })
    const domain = new URL(naming.site).hostname.slice('shop.'.length)
    await naming.api.put(`/projects/${naming.project}`, { competitors: [giver.host] })
    expect((await save(giver, linkTo(named.site) + linkTo(naming.site))).backlinks_processed).toBe(0)
    const other = await join(stack, { competitors: [domain] })
    expect((await save(other, linkTo(naming.site))).backlinks_processed).toBe(0)
    const near = await join(stack, { competitors: [`x${naming.host}`] })
    expect((await save(near, linkTo(naming.site))).backlinks_processed).toBe(1)
    expect(await provedCredits(named, naming, giver, other, near)).toEqual([0, -1, 0, 0, 1])
  })

  it('a project that takes no part, on either side', async () => {
    const [giver, outside] = [await join(stack), await join(stack, { backlinks_network: false })]
    expect(await save(giver, linkTo(outside.site))).toMatchObject({
      backlinks_processed: 0,
      backlinks_warning: expect.any(String),
    })
    const saved = await save(outside, linkTo(giver.site))
    expect(saved.backlinks_processed).toBe(0)
    expect(saved).not.toHaveProperty('backlinks_warning')
    expect(await provedCredits(giver, outside)).toEqual([0, 0])
  })

  it.each(['/relative', '#top', 'mailto:a@b.example', 'https://', 'http://[', '//', 'javascript&colon;alert(1)'])(
    'the address %j',
    async (href) => {
      const giver = await join(stack)
      expect((await save(giver, `<p>a <a href="${href}">link</a></p>`)).backlinks_processed).toBe(0)
    },
  )

  it('a host that only looks like the partner’s', async () => {
    const [giver, partner] = [await join(stack), await join(stack)]
    const lookalikes = [
      `x${partner.host}`,
      `sub.${partner.host}`,
      `${partner.host}.evil.example`,
      `evil.example/${partner.host}`,
    ]
    const content =
      lookalikes.map((site) => linkTo(`https://${site}`)).join('') + linkTo(`https://${partner.host}:8443/`)
    expect((await save(giver, content)).backlinks_processed).toBe(0)
    expect((await save(giver, linkTo(`//${partner.host.toUpperCase()}./page`))).backlinks_processed).toBe(1)
  })
})

it('links received are read page by page, and the answer carries the limits it used', async () => {
  const [partner, giver] = [await join(stack), await join(stack)]
  for (let n = 0; n < 3; n += 1) await save(giver, linkTo(`${partner.site}/${n}`))
  const path = `/backlinks?project_id=${partner.project}&earned_limit=9999&scheduled_limit=2`
  const { body: first } = await partner.api.get(path)
  expect(first).toMatchObject({ earned_limit: 500, earned_before_id: null, scheduled_limit: 2, scheduled_count: 2 })
  const { body: rest } = await partner.api.get(`${path}&scheduled_before_id=${String(first.scheduled_before_id)}`)
  expect(rest).toMatchObject({ scheduled_count: 1, scheduled_before_id: null })
  const ids = [...rowsOf(first, 'scheduled'), ...rowsOf(rest, 'scheduled')].map(({ target_url }) => target_url)
  expect(ids).toEqual([2, 1, 0].map((n) => `${partner.site}/${n}`))
})

describe('the warning', () => {
  it('is returned for content without a partner link, and not without content', async () => {
    const giver = await join(stack)
    const { article_id: id, ...empty } = await save(giver, '')
    expect(empty).not.toHaveProperty('backlinks_warning')
    expect(await edit(giver, id, { title: 'x' })).not.toHaveProperty('backlinks_warning')
    expect(await edit(giver, id, { content: OTHER })).toHaveProperty('backlinks_warning')
    expect(await edit(giver, id, { title: 'y' })).toMatchObject({
      backlinks_processed: 0,
      backlinks_warning: expect.any(String),
    })
  })
})

describe('a receiver whose plan has a monthly limit', () => {
  it('gets only its limit of links; a removed one makes room', async () => {
    const capped = await join(stack, {}, { plan: 'agentic_free' })
    const [one, two] = [await join(stack), await join(stack)]
    const { article_id: first } = await save(one, linkTo(capped.site))
    expect(await statusOf(capped)).toMatchObject({ velocity_cap: 1, velocity_used: 1 })
    const { article_id: second, ...refused } = await save(two, linkTo(capped.site))
    expect(refused.backlinks_processed).toBe(0)
    expect((await edit(one, first, { content: `${linkTo(capped.site)}<p>More.</p>` })).backlinks_processed).toBe(1)
    await edit(one, first, { content: OTHER })
    expect((await edit(two, second, { content: linkTo(capped.site) })).backlinks_processed).toBe(1)
    expect(await provedCredits(capped, one, two)).toEqual([-1, 0, 1])
  })
})
