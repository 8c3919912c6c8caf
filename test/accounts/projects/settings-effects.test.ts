import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type GhostStandIn, startGhost } from '../../../local/cms/ghost.ts'
import { SETTINGS } from '../../../src/accounts/projects/settings.ts'
import { order } from '../../reach/crowdwork/scene.ts'
import { until } from '../../reach/social/scene.ts'
import { type Api, connectReceiver, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys, rowsOf } from '../../support/keys.ts'
import { publishedArticle } from '../../support/story.ts'

const stack = inject('stack')
let api: Api
let ghost: GhostStandIn

beforeAll(async () => {
  const account = await newAccount(stack, { plan: 'pro', projects: 200 })
  api = manyKeys(stack, account)
  // Nothing is written by the clocks of other tests.
  await rowsIn(stack, sql`update accounts set article_credits = 0 where id = ${account.accountId}::int`)
  ghost = await startGhost()
})
afterAll(() => ghost.close())

type Seen = (project: number) => Promise<unknown>
/**
 * A setting with a value other than its default. Two projects differ only in it, and `seen` reads the effect from
 * outside.
 *
 * `like`: the value of the second project. `both`: settings of both projects.
 */
type Row = { value: unknown; seen: Seen; like: unknown; both?: Record<string, unknown> }

const planned = (project: number, more: Record<string, unknown> = {}): Promise<number> =>
  newArticle(api, project, { status: 'Planned', content: '', ...more })

const briefOf = async (project: number): Promise<Record<string, unknown>> =>
  (await api.get(`/articles/${await planned(project)}/brief`)).body

const at = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], body)

/** Returns a setting that the brief shows. */
const inBrief = (path: string, value: unknown, like: unknown = value, both: Record<string, unknown> = {}): Row => ({
  value,
  like,
  both,
  seen: async (project) => at(await briefOf(project), path),
})

const TEXT = `<p>${Array.from({ length: 300 }, (_, n) => `word${(n * 7919) % 601}`).join(' ')}</p>`
const PLACE = { sitemap_url: 'https://oak.example/map.xml', blog_root_url: 'https://oak.example/blog' }

/** Sends a project the place of its pages: it is scanned again only if the place is another than it has. */
const scansAgain =
  (name: keyof typeof PLACE): Seen =>
  async (project) => {
    await rowsIn(stack, sql`update projects set website_url = 'https://oak.test' where id = ${project}::int`)
    const { body } = await api.put(`/projects/${project}`, { [name]: PLACE[name] })
    return String(body.message).includes('The site is scanned again.')
  }

const dated = async (project: number): Promise<unknown> =>
  (await api.get(`/articles/${await planned(project, { scheduled_date: '2031-06-01' })}`)).body.ScheduledAt

/** Returns the post about an article that is published by webhook. */
const postOf: Seen = async (project) => {
  const { body } = await api.post('/social/accounts', { project_id: project, platform: 'twitter' })
  await fetch(String(body.connect_url))
  await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
  await publishedArticle(api, project, { title: `Sheds ${randomBytes(4).toString('hex')}` })
  return await until(async () => rowsOf((await api.get(`/social/posts?project_id=${project}`)).body, 'posts')[0])
}

const publishedImage: Seen = async (project) => {
  const target = { platform: 'ghost', api_url: ghost.url, admin_api_key: ghost.key }
  expect((await api.post(`/projects/${project}/integrations`, target)).status).toBe(201)
  const content = `<p>Words.</p><img src="${ghost.url}/_image.png?p=${project}" alt="A shed">`
  const id = await publishedArticle(api, project, { content })
  const { Slug: slug } = (await api.get(`/articles/${id}`)).body
  return ghost.posts().find((post) => post.slug === slug)?.html
}

const ROWS: Record<string, Row> = {
  ai_instructions: inBrief('instructions.project', 'Short sentences.'),
  business_name: inBrief('business.name', 'Oak'),
  business_description: inBrief('business.description', 'Sheds.'),
  target_audience: inBrief('business.target_audience', ['gardeners']),
  business_aliases: inBrief('business.aliases', ['Oakies']),
  primary_location: inBrief('business.primary_location', 'Utrecht'),
  internal_links_per_article: inBrief('targets.internal_links', 5),
  tone: inBrief('tone', 'Persuasive'),
  language: inBrief('language', 'German'),
  writing_profile: inBrief('writing_profile', 'Simple educational'),
  product_positioning: inBrief('product_positioning', 'Promotional'),
  cta_intensity: inBrief('call_to_action_intensity', 'Direct'),
  first_person_writing: inBrief('first_person', true),
  table_of_contents: inBrief('table_of_contents', true),
  avoid_formulaic_section_endings: inBrief('avoid_formulaic_section_endings', false),
  require_operational_examples: inBrief('require_operational_examples', true),
  strict_banned_phrase_guard: inBrief('strict_banned_phrase_guard', true),
  banned_phrases: inBrief('banned_phrases', ['game changer']),
  competitors: inBrief('competitors', ['rival.example']),
  image_style: inBrief('images.style', 'line drawings'),
  image_prompt_instructions: inBrief('images.style', 'No people.'),
  title_based_featured_image: inBrief('images.feature_image', true, expect.stringContaining('the article’s title')),
  brand_color: inBrief('images.feature_image', '#0f766e', expect.stringContaining('#0f766e'), {
    title_based_featured_image: true,
  }),
  brand_intelligence: {
    value: false,
    like: [],
    seen: async (project) => {
      await rowsIn(stack, sql`update projects set topics = 'sheds' where id = ${project}::int`)
      return at(await briefOf(project), 'business.topics')
    },
  },
  content_pillars: {
    value: ['https://oak.test/sheds', 'https://elsewhere.test/x', 'https://WWW.Oak.test/Huts/?a=b'],
    like: [
      ['https://oak.test/sheds', 'https://WWW.Oak.test/Huts/?a=b'],
      ['https://oak.test/sheds', 'https://WWW.Oak.test/Huts/?a=b'],
    ],
    seen: async (project) => {
      await rowsIn(
        stack,
        sql`update projects set website_url = 'https://oak.test', website_key = ${`oak.test`} where id = ${project}::int`,
      )
      const { body } = await api.get(`/internal-links?project_id=${project}&keyword=roofs`)
      const brief = at(await briefOf(project), 'required_links.internal') as { url: string }[]
      await rowsIn(stack, sql`update projects set website_key = ${`p${project}.test`} where id = ${project}::int`)
      return [rowsOf(body, 'links').map(({ url }) => url), brief.map(({ url }) => url)]
    },
  },
  sitemap_url: { value: PLACE.sitemap_url, like: false, seen: scansAgain('sitemap_url') },
  blog_root_url: { value: PLACE.blog_root_url, like: false, seen: scansAgain('blog_root_url') },
  keyword_region: {
    value: 'United Kingdom',
    like: 'GB',
    seen: async (project) =>
      (await api.post('/keywords/search', { project_id: project, keyword: `sheds ${randomBytes(4).toString('hex')}` }))
        .body.country,
  },
  custom_author_name: {
    value: 'Jo Oak',
    like: 'Jo Oak',
    seen: async (project) => (await api.get(`/articles/${await newArticle(api, project)}`)).body.Author,
  },
  publish_time: { value: '17:30', like: '2031-06-01T17:30:00.000Z', seen: dated },
  timezone: { value: 'Asia/Tokyo', like: '2031-06-01T00:00:00.000Z', seen: dated },
  publishing_status: {
    value: 'Send as Drafts',
    like: expect.stringMatching(/sent to the site as a draft|as a draft/),
    seen: async (project) =>
      (
        await api.post('/articles', {
          project_id: project,
          keyword: 'sheds',
          content: TEXT,
          status: 'Planned',
          scheduled_date: '2031-06-01',
        })
      ).body.message,
  },
  social_media_ai_instructions: {
    value: 'Friendly, with #gardensheds.',
    like: expect.stringMatching(/#gardensheds$/),
    seen: async (project) => at(await postOf(project), 'content'),
  },
  social_media_publishing_status: {
    value: 'Publish Immediately',
    like: false,
    seen: async (project) => at(await postOf(project), 'status') === 'draft',
  },
  image_hosting: { value: 'CMS', like: expect.stringContaining('/content/images/'), seen: publishedImage },
  duplicate_content_protection: {
    value: false,
    like: false,
    seen: async (project) => {
      await newArticle(api, project, { content: TEXT })
      const { body } = await api.post('/articles', { project_id: project, keyword: 'sheds', content: TEXT })
      return (at(body, 'seo.failed') as { check: string }[]).some(({ check }) => check === 'duplicate_content')
    },
  },
  videos_enabled: {
    value: true,
    like: expect.stringContaining('src="https://www.youtube-nocookie.com/embed/abc_DEF-123?start=90" title="A shed"'),
    seen: async (project) => {
      const content = '<p>Words.</p><p><a href="https://youtu.be/abc_DEF-123?t=90">A shed</a></p>'
      return (await api.get(`/articles/${await newArticle(api, project, { content })}`)).body.Content
    },
  },
  backlinks_network: {
    value: true,
    like: expect.not.stringContaining('takes no part'),
    seen: async (project) =>
      (await api.get(`/backlink-targets?project_id=${project}&keyword=nothing+near`)).body.instructions,
  },
  weekly_suggestions: {
    value: false,
    like: false,
    seen: async (project) => at((await api.get(`/suggestions?project_id=${project}`)).body, 'settings.weekly'),
  },
  tell_search_engines: {
    value: true,
    like: true,
    seen: async (project) => (await api.get(`/projects/${project}/search-engines`)).body.tell_search_engines,
  },
  crowdwork_budget: {
    value: 0,
    like: 'budget_reached',
    seen: async (project) => (await api.post('/crowdwork/campaigns', order(project))).body.code,
  },
}

it('every writable setting has a row', () => {
  expect(Object.keys(ROWS).sort()).toEqual(Object.keys(SETTINGS).sort())
})

describe('of two projects that differ in one setting alone, the one shows it', () => {
  it.each(Object.entries(ROWS))('%s', async (name, { value, seen, like, both = {} }) => {
    const before = await seen(await newProject(api, both))
    expect(before).not.toEqual(like)
    expect(await seen(await newProject(api, { ...both, [name]: value }))).toEqual(like)
  })
})

describe('a setting with a limited effect has a note', () => {
  it('image_hosting, if no CMS takes images', async () => {
    const project = await newProject(api)
    const note = async (value: unknown) =>
      (await api.put(`/projects/${project}`, { image_hosting: value })).body.notes as Record<string, string>
    expect((await note('CMS')).image_hosting).toMatch(/only with CMS targets: no CMS is connected/)
    await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    expect((await note('CMS')).image_hosting).toMatch(/only with CMS targets: the connected webhook/)
    expect(await note('Galley')).toEqual({})
    await api.post(`/projects/${project}/integrations`, {
      platform: 'ghost',
      api_url: ghost.url,
      admin_api_key: ghost.key,
    })
    expect(await note('CMS')).toEqual({})
  })

  it('social_media_ai_instructions, which the built-in writer does not read', async () => {
    const project = await newProject(api)
    const { body } = await api.put(`/projects/${project}`, { social_media_ai_instructions: 'Friendly.' })
    expect(body.notes).toMatchObject({ social_media_ai_instructions: expect.stringMatching(/uses only the hashtags/) })
  })
})

it('a link to a video becomes a player only alone in its paragraph, and stays a link without videos', async () => {
  const on = await newProject(api, { videos_enabled: true })
  const shown = async (project: number, content: string, format = 'html') =>
    (await api.get(`/articles/${await newArticle(api, project, { content, content_format: format })}`)).body
      .Content as string
  const player = /<iframe src="https:\/\/www\.youtube-nocookie\.com\/embed\/abc_DEF-123"/
  for (const alone of [
    '<p>https://www.youtube.com/watch?v=abc_DEF-123&amp;feature=share</p>',
    '<p> <a href="https://m.youtube.com/shorts/abc_DEF-123"><em>See</em></a> </p>',
    '<blockquote><p>http://youtube.com/live/abc_DEF-123</p></blockquote>',
  ])
    expect(await shown(on, `<p>Words.</p>${alone}`)).toMatch(player)
  expect(await shown(on, 'Words.\n\nhttps://youtu.be/abc_DEF-123\n', 'markdown')).toMatch(player)
  for (const other of [
    '<p>See https://youtu.be/abc_DEF-123</p>',
    '<p><a href="https://youtu.be/abc_DEF-123">A</a> and <a href="https://youtu.be/abc_DEF-123">B</a></p>',
    '<p><a href="https://youtu.be/abc_DEF-123">A</a> shows it.</p>',
    '<p><a href="https://www.youtube.com/@channel">The channel</a></p>',
    '<p><a href="https://youtube.com.evil.test/watch?v=abc_DEF-123">A</a></p>',
    '<p><a href="https://youtu.be/abc_DEF-123"><img src="https://oak.test/a.png" alt="A shed"></a></p>',
  ])
    expect(await shown(on, other)).not.toContain('<iframe')
  const off = await newProject(api)
  expect(await shown(off, '<p>https://youtu.be/abc_DEF-123</p>')).not.toContain('<iframe')
})
