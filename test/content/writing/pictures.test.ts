import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startGhost } from '../../../local/cms/ghost.ts'
import { type RunningImages, startImages } from '../../../local/images/server.ts'
import { type RunningYouTube, startYouTube } from '../../../local/youtube/server.ts'
import { type Api, newAccount, newArticle, newProject, rowsIn, type Target } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'
import { startTestStack, type TestStack, targetOf } from '../../support/stack.ts'
import { generate, NOTES, tick, whenWritten } from './scene.ts'

const KEY = 'images-key'

let stack: TestStack
let target: Target & { cronUrl: string }
let model: RunningImages
let youtube: RunningYouTube
let api: Api

beforeAll(async () => {
  model = await startImages(KEY)
  youtube = await startYouTube('youtube-key')
  const vars = {
    IMAGES_PROVIDER: 'openai-compatible',
    IMAGES_BASE_URL: model.baseUrl,
    IMAGES_API_KEY: KEY,
    IMAGES_MODEL: 'painter-1',
    IMAGES_SIZE: '640x336',
    YOUTUBE_API_URL: youtube.url,
    YOUTUBE_API_KEY: 'youtube-key',
  }
  stack = await startTestStack({ vars })
  target = { ...targetOf(stack), cronUrl: stack.workers().cronUrl }
}, 120_000)
afterAll(async () => {
  await stack?.close()
  await model?.close()
  await youtube?.close()
})
beforeEach(() => {
  model.faults([])
  youtube.faults([])
})

/** Returns an article the service wrote from notes, in a project of these settings and an account of its own. */
const written = async (settings: Record<string, unknown> = {}, fields: Record<string, unknown> = {}) => {
  const from = model.heard().length
  api = manyKeys(target, await newAccount(target, { projects: 100 }))
  const project = await newProject(api, { business_name: 'Shed Works', ...settings })
  const { body } = await generate(api, project, fields)
  const article = await whenWritten(api, Number(body.article_id))
  return {
    article,
    content: String(article.Content),
    feature: String(article.FeatureImage),
    asked: model.heard().slice(from),
  }
}

const imagesIn = (html: string): string[] => html.match(/<img [^>]+>/g) ?? []
const bytesAt = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer())
const cornerOf = async (url: string): Promise<string> => {
  const { data } = await sharp(await bytesAt(url))
    .removeAlpha()
    .extract({ left: 2, top: 2, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return `#${data.toString('hex')}`
}

describe('with a model', () => {
  it('an article gets a feature image and one per major section, hosted here, with alternative text', async () => {
    const { article, content, feature, asked } = await written()
    expect(article).toMatchObject({ Status: 'Draft', AltText: article.Title })
    expect(feature).toMatch(new RegExp(`^${stack.url}/media/[0-9a-f]{64}\\.png$`))
    const headings = content.match(/<h2/g) ?? []
    const images = imagesIn(content)
    expect(headings.length).toBeGreaterThan(1)
    expect(images).toHaveLength(headings.length)
    for (const image of images) {
      expect(image).toMatch(/ alt="[^"]+"/)
      expect(image).toContain('width="640" height="336"')
      const [, src = ''] = / src="([^"]+)"/.exec(image) ?? []
      expect((await fetch(src)).headers.get('content-type')).toBe('image/png')
    }
    expect(content).toMatch(/<\/h2><figure><img /)
    expect(new Set([feature, ...images]).size).toBe(headings.length + 1)
    expect(asked).toHaveLength(headings.length + 1)
    expect(asked[0]).toMatchObject({ model: 'painter-1', n: 1, size: '640x336', response_format: 'b64_json' })
    const held = await rowsIn(target, sql`select 1 from hosted_images where account_id = ${api.accountId}::int`)
    expect(held.length).toBeGreaterThanOrEqual(headings.length + 1)
  })

  it('image_hosting CMS uploads every picture to the CMS when the article is published', async () => {
    const ghost = await startGhost()
    try {
      const { article, content, feature } = await written({ image_hosting: 'CMS' })
      const cms = { platform: 'ghost', api_url: ghost.url, admin_api_key: ghost.key }
      expect((await api.post(`/projects/${String(article.ProjectID)}/integrations`, cms)).status).toBe(201)
      expect((await api.post(`/articles/${String(article.ID)}/publish`)).body).toMatchObject({ status: 'published' })
      const [post] = ghost.posts()
      const html = String(post?.html)
      expect(imagesIn(html)).toHaveLength(imagesIn(content).length)
      for (const image of imagesIn(html)) expect(image).toContain(`src="${ghost.url}/content/images/`)
      expect(post?.feature_image).toContain(`${ghost.url}/content/images/`)
      expect(ghost.uploads).toHaveLength(new Set([feature, ...imagesIn(content)]).size)
    } finally {
      await ghost.close()
    }
  })

  it('image_style changes what is painted', async () => {
    const plain = await written()
    const styled = await written({ image_style: 'watercolour on rough paper' })
    expect(plain.asked.some(({ prompt }) => prompt.includes('watercolour'))).toBe(false)
    expect(styled.asked.every(({ prompt }) => prompt.includes('Style: watercolour on rough paper.'))).toBe(true)
    expect(await cornerOf(styled.feature)).not.toBe(await cornerOf(plain.feature))
  })

  it('image_prompt_instructions change the picture, and come last', async () => {
    const instructions = 'Always show a red wheelbarrow.'
    const { asked, feature } = await written({ image_prompt_instructions: instructions })
    expect(asked.length).toBeGreaterThan(1)
    for (const { prompt } of asked) expect(prompt.endsWith(instructions)).toBe(true)
    expect(await cornerOf(feature)).not.toBe(await cornerOf((await written()).feature))
  })

  it('title_based_featured_image puts the title on a card; the sections keep their pictures', async () => {
    const { feature, content, asked } = await written({ title_based_featured_image: true, brand_color: '#0b6e4f' })
    const { width, height } = await sharp(await bytesAt(feature)).metadata()
    expect([width, height]).toEqual([1200, 630])
    expect(await cornerOf(feature)).toBe('#0b6e4f')
    expect(asked).toHaveLength((content.match(/<h2/g) ?? []).length)
    const painted = await sharp(await bytesAt((await written()).feature)).metadata()
    expect([painted.width, painted.height]).toEqual([640, 336])
  })

  it('brand_color is the color of the card, and in the prompt', async () => {
    const { feature } = await written({ title_based_featured_image: true, brand_color: '#aa2211' })
    expect(await cornerOf(feature)).toBe('#aa2211')
    const { asked } = await written({ brand_color: '#aa2211' })
    expect(asked[0]?.prompt).toContain('#aa2211')
  })

  it('a model that fails costs the article its pictures, not more: the feature image is then a card', async () => {
    for (const fault of [
      { status: 500 },
      { status: 429 },
      { status: 200, answer: { data: [] } },
      { status: 200, answer: { data: [{ b64_json: Buffer.from('<svg/>').toString('base64') }] } },
      { status: 200, answer: { data: [{ b64_json: '@@@' }] } },
      { status: 200, answer: { data: [{ url: 'https://images.example/1.png' }] } },
    ]) {
      model.faults([fault])
      const { article, content, feature } = await written()
      expect(article).toMatchObject({ Status: 'Draft', Progress: null })
      expect(imagesIn(content)).toEqual([])
      expect((await sharp(await bytesAt(feature)).metadata()).width).toBe(1200)
    }
  })

  it('a feature image the caller gave stays', async () => {
    const project = await newProject(api)
    const own = 'https://images.example/own.png'
    const id = await newArticle(api, project, {
      status: 'Planned',
      scheduled_date: new Date(Date.now() + 48 * 3_600_000).toISOString(),
      content: `<p>${NOTES}</p>`.slice(0, 900),
      feature_image: own,
      alt_text: 'Our own',
    })
    await tick(target)
    const article = await whenWritten(api, id)
    expect(String(article.Content)).toContain('<h2')
    expect(article).toMatchObject({ FeatureImage: own, AltText: 'Our own' })
  })

  it('a claimed article is not touched', async () => {
    const project = await newProject(api)
    const content = `<h2>One</h2><p>${'Oak is dry. '.repeat(200)}</p>`
    const date = new Date(Date.now() + 100 * 3_600_000).toISOString()
    const id = await newArticle(api, project, { status: 'Planned', scheduled_date: date, content: '' })
    expect((await api.put(`/articles/${id}`, { content })).body.claimed).toBe(true)
    await rowsIn(target, sql`update articles set scheduled_at = now() + interval '40 hours' where id = ${id}::int`)
    const before = model.heard().length
    await tick(target)
    const { body } = await api.get(`/articles/${id}`)
    expect(body).toMatchObject({ Claimed: true, FeatureImage: '', Content: content, being_written: false })
    expect(model.heard().length).toBe(before)
  })
})

describe('videos', () => {
  const players = (html: string): string[] => html.match(/<iframe [^>]+>/g) ?? []
  const other = { id: 'wrongvideo1', title: 'Ten chicken coops' }
  const live = { id: 'livevideo12', title: 'Garden sheds, live', live: true }
  const fit = { id: 'abc_DEF-123', title: 'How to build "garden sheds" & more' }

  it('are embedded if the project wants them, once, without cookies, with their title', async () => {
    youtube.videos([other, live, fit])
    const { content } = await written({ videos_enabled: true })
    expect(players(content)).toHaveLength(1)
    expect(players(content)[0]).toContain(`src="https://www.youtube-nocookie.com/embed/${fit.id}"`)
    expect(players(content)[0]).toContain('title="How to build &quot;garden sheds&quot; &amp; more"')
    expect(content.indexOf('<iframe')).toBeGreaterThan(content.indexOf('<h2'))
    expect(youtube.searches().at(-1)?.toString()).toContain(
      'videoEmbeddable=true&safeSearch=strict&relevanceLanguage=en',
    )
    // The player is one that a later save of the article leaves in its place.
    const id = await newArticle(api, await newProject(api), { content })
    expect(String((await api.get(`/articles/${id}`)).body.Content)).toBe(content)
  })

  it('are not embedded otherwise', async () => {
    const before = youtube.searches().length
    expect(players((await written({ videos_enabled: false })).content)).toEqual([])
    expect(youtube.searches()).toHaveLength(before)
  })

  it('of the same keyword are searched for once in weeks', async () => {
    youtube.videos([fit])
    await written({ videos_enabled: true })
    const before = youtube.searches().length
    expect(players((await written({ videos_enabled: true })).content)).toHaveLength(1)
    expect(youtube.searches()).toHaveLength(before)
    await rowsIn(target, sql`update video_searches set searched_at = now() - interval '29 days'`)
    await written({ videos_enabled: true })
    expect(youtube.searches()).toHaveLength(before + 1)
  })

  it('are left out rather than wrong, and if YouTube does not answer', async () => {
    youtube.videos([other, live])
    expect(players((await written({ videos_enabled: true }, { keyword: 'level shed foundation' })).content)).toEqual([])
    youtube.videos([{ id: 'abcdefghij2', title: 'Roof felt' }])
    youtube.faults([{ status: 500, times: 1 }])
    const failed = await written({ videos_enabled: true }, { keyword: 'roof felt' })
    expect(failed.article).toMatchObject({ Status: 'Draft', Progress: null })
    expect(players(failed.content)).toEqual([])
    // A failed search is not stored: the next article searches again.
    expect(players((await written({ videos_enabled: true }, { keyword: 'roof felt' })).content)).toHaveLength(1)
  })

  it('are not searched for once the day is used up', async () => {
    await rowsIn(target, sql`update video_quota set used = 95`)
    const before = youtube.searches().length
    youtube.videos([{ id: 'abcdefghij3', title: 'Double doors' }])
    expect(players((await written({ videos_enabled: true }, { keyword: 'double doors' })).content)).toEqual([])
    expect(youtube.searches()).toHaveLength(before)
  })
})
