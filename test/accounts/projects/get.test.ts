import { describe, expect, inject, it } from 'vitest'
import type { Plan } from '../../../schema/values/accounts.ts'
import { SETTINGS } from '../../../src/accounts/projects/settings.ts'
import { newAccount, newProject } from '../../support/client.ts'

const stack = inject('stack')
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe('GET /projects/:id', () => {
  it('answers project, settings, article_plan and setup', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api, {
      website_url: 'https://garden.example',
      business_name: 'Garden',
      target_audience: ['gardeners', 'florists'],
      sitemap_url: 'https://garden.example/sitemap.xml',
      blog_root_url: 'https://garden.example/blog',
      primary_location: 'Utrecht',
      timezone: 'Europe/Amsterdam',
    })
    const { status, body } = await api.get(`/projects/${id}`)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['article_plan', 'project', 'settings', 'setup'])
    expect(body.project).toEqual({
      ID: id,
      BusinessName: 'Garden',
      WebsiteUrl: 'https://garden.example',
      BusinessDescription: expect.any(String),
      Language: expect.any(String),
      Status: 'Active',
      BacklinkCredits: 3,
      ArticlesPerDay: 0,
      BecklinksNetworkParticipation: expect.stringMatching(/^(Yes|No)$/),
      PublishingStatus: 'Publish Immediately',
      PublishTime: expect.stringMatching(/^\d\d:\d\d$/),
      Timezone: 'Europe/Amsterdam',
      CreatedAt: expect.stringMatching(ISO_UTC),
      SitemapUrl: 'https://garden.example/sitemap.xml',
      BlogRootUrl: 'https://garden.example/blog',
      TargetAudience: ['gardeners', 'florists'],
      PrimaryLocation: 'Utrecht',
      ArticlePlan: null,
      UpdatedAt: expect.stringMatching(ISO_UTC),
    })
    expect(body.setup).toEqual({
      site_scan: 'failed',
      site_scan_error: expect.stringMatching(/^garden\.example is a name reserved for examples/),
      site_scan_note: null,
      onboarding: 'not_started',
      onboarding_error: null,
      planned: null,
      wanted: null,
      note: null,
      next_calls: [{ method: 'POST', path: expect.stringMatching(/^\/projects\/\d+\/scan$/), why: expect.any(String) }],
    })
  })

  it('has every writable key in settings, and articles_per_day', async () => {
    const api = await newAccount(stack)
    const { body } = await api.get(`/projects/${await newProject(api)}`)
    const settings = body.settings as Record<string, unknown>
    expect(Object.keys(settings).sort()).toEqual([...Object.keys(SETTINGS), 'articles_per_day'].sort())
    expect(Object.entries(settings).filter(([, value]) => value === undefined)).toEqual([])
    expect(settings).toMatchObject({ image_hosting: 'Galley', weekly_suggestions: true, articles_per_day: 0 })
  })

  it('answers settings that can be sent back as they are', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    const { body: before } = await api.get(`/projects/${id}`)
    const sent = await api.put(`/projects/${id}`, before.settings)
    expect(sent.status).toBe(200)
    expect(sent.body.ignored).toEqual(['articles_per_day'])
    const { body: after } = await api.get(`/projects/${id}`)
    expect(after.settings).toEqual(before.settings)
  })

  it.each<[Plan, number | null, number[]]>([
    ['agentic_free', null, []],
    ['agentic', 8, [5, 8, 30]],
    ['pro', 30, [5, 8, 30]],
    ['accelerator', 60, [5, 8, 30, 60, 90]],
  ])('lists the article plans of %s', async (plan, recommended, included) => {
    const api = await newAccount(stack, { plan })
    const { body } = await api.get(`/projects/${await newProject(api)}`)
    const listing = body.article_plan as { available: Record<string, unknown>[] } & Record<string, unknown>
    expect(Object.keys(listing).sort()).toEqual(['articles_per_month', 'available', 'current', 'recommended'])
    expect(listing).toMatchObject({ current: null, recommended })
    expect(listing.available.map((row) => row.plan).sort((a, b) => Number(a) - Number(b))).toEqual([5, 8, 30, 60, 90])
    for (const row of listing.available)
      expect(row).toEqual({
        plan: row.plan,
        label: expect.stringMatching(/\w/),
        articles_per_month: row.plan,
        included: included.includes(Number(row.plan)),
      })
  })

  it('is 403 for another account, 404 if it does not exist, 400 for an invalid id', async () => {
    const [api, other] = await Promise.all([newAccount(stack), newAccount(stack)])
    const id = await newProject(other)
    expect(await api.get(`/projects/${id}`)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await api.get('/projects/2147483647')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const wrong of ['0', '-1', 'abc', '1.5', '2147483648', '99999999999999999999', '1%20', '0x1'])
      expect([wrong, await api.get(`/projects/${wrong}`)]).toMatchObject([
        wrong,
        { status: 400, body: { code: 'invalid_id' } },
      ])
  })
})
