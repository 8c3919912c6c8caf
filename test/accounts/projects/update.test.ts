import { describe, expect, inject, it } from 'vitest'
import { type Api, newAccount, newProject } from '../../support/client.ts'
import { fieldsOf, manyKeys } from '../../support/keys.ts'

const stack = inject('stack')

/** Setting, value sent, value read back, and column. */
type Case = readonly [field: string, sent: unknown, read: unknown, column: string]

const TEXTS: Case[] = [
  ['ai_instructions', '  Be brief. ', 'Be brief.', 'AiInstructions'],
  ['ai_instructions', null, null, 'AiInstructions'],
  ['ai_instructions', 'x'.repeat(10_000), 'x'.repeat(10_000), 'AiInstructions'],
  ['business_name', 'Smith &\n\u2028 Söhne', 'Smith & Söhne', 'BusinessName'],
  ['business_description', 'One.\nTwo.', 'One.\nTwo.', 'BusinessDescription'],
  ['sitemap_url', 'https://a.example/s.xml', 'https://a.example/s.xml', 'SitemapUrl'],
  ['sitemap_url', '', '', 'SitemapUrl'],
  ['blog_root_url', 'http://a.example/blog/', 'http://a.example/blog/', 'BlogRootUrl'],
  ['internal_links_per_article', 1, 1, 'InternalLinksPerArticle'],
  ['internal_links_per_article', 5, 5, 'InternalLinksPerArticle'],
  ['keyword_region', 'Netherlands', 'Netherlands', 'KeywordRegion'],
  ['keyword_region', 'nl', 'nl', 'KeywordRegion'],
  ['keyword_region', 'worldwide', 'Worldwide', 'KeywordRegion'],
  ['primary_location', 'Ghent', 'Ghent', 'PrimaryLocation'],
  ['custom_author_name', 'Jo Doe', 'Jo Doe', 'CustomAuthorName'],
  ['social_media_ai_instructions', 'No emoji.', 'No emoji.', 'SocialMediaAiInstructions'],
  ['publish_time', '00:00', '00:00', 'PublishTime'],
  ['publish_time', '23:59', '23:59', 'PublishTime'],
  ['timezone', 'America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires', 'Timezone'],
]

const ENUMS: Case[] = [
  ['tone', 'conversational', 'Conversational', 'ContentStyle'],
  ['tone', 'PERSUASIVE', 'Persuasive', 'ContentStyle'],
  ['tone', ' Informative ', 'Informative', 'ContentStyle'],
  ['language', 'english (us)', 'English (US)', 'Language'],
  ['language', 'FRENCH', 'French', 'Language'],
  ['language', 'fr', 'French', 'Language'],
  ['language', 'en-gb', 'English (UK)', 'Language'],
  ['language', 'PT-br', 'Portuguese (BR)', 'Language'],
  ['language', 'pt_PT', 'Portuguese', 'Language'],
  ['language', 'de', 'German', 'Language'],
  ['language', 'de-CH-1996', 'German', 'Language'],
  ['language', 'en-IE', 'English', 'Language'],
  ['language', 'zh-Hant-HK', 'Chinese (Traditional)', 'Language'],
  ['language', 'nb-no', 'Norwegian', 'Language'],
  ['writing_profile', 'experienced PRACTITIONER', 'Experienced practitioner', 'WritingProfile'],
  ['writing_profile', 'simple educational', 'Simple educational', 'WritingProfile'],
  ['writing_profile', 'balanced seo', 'Balanced SEO', 'WritingProfile'],
  ['product_positioning', 'neutral operational', 'Neutral operational', 'ProductPositioning'],
  ['product_positioning', 'SOFT MENTION', 'Soft mention', 'ProductPositioning'],
  ['product_positioning', 'promotional', 'Promotional', 'ProductPositioning'],
  ['publishing_status', 'save as drafts', 'Save as Drafts', 'PublishingStatus'],
  ['publishing_status', 'SEND AS DRAFTS', 'Send as Drafts', 'PublishingStatus'],
  ['publishing_status', 'publish immediately', 'Publish Immediately', 'PublishingStatus'],
  ['social_media_publishing_status', 'publish immediately', 'Publish Immediately', 'SocialMediaPublishingStatus'],
  ['social_media_publishing_status', 'SAVE AS DRAFTS', 'Save as Drafts', 'SocialMediaPublishingStatus'],
  ['cta_intensity', 'none', 'None', 'ArticleQualitySettings'],
  ['cta_intensity', 'SOFT', 'Soft', 'ArticleQualitySettings'],
  ['cta_intensity', 'direct', 'Direct', 'ArticleQualitySettings'],
]

const LISTS: Case[] = [
  ['target_audience', ['a', ' b ', '', 'a'], ['a', 'b'], 'TargetAudience'],
  ['target_audience', 'a, b,,a , c', ['a', 'b', 'c'], 'TargetAudience'],
  ['target_audience', 'a, really\nb\r\n\r\nc', ['a', 'really', 'b', 'c'], 'TargetAudience'],
  ['target_audience', [], [], 'TargetAudience'],
  ['target_audience', '', [], 'TargetAudience'],
  [
    'content_pillars',
    'https://a.example/1,https://a.example/2',
    ['https://a.example/1', 'https://a.example/2'],
    'ContentPillars',
  ],
  [
    'content_pillars',
    'https://a.example/1, https://a.example/2\nhttps://a.example/3',
    ['https://a.example/1', 'https://a.example/2', 'https://a.example/3'],
    'ContentPillars',
  ],
  ['content_pillars', ['https://a.example/x,y'], ['https://a.example/x,y'], 'ContentPillars'],
  ['banned_phrases', 'in conclusion\ndelve into', ['in conclusion', 'delve into'], 'BannedPhrases'],
  ['banned_phrases', 'first, do no harm\nin short', ['first, do no harm', 'in short'], 'BannedPhrases'],
  [
    'competitors',
    'https://www.Rival.example/pricing\nother.example',
    ['rival.example', 'other.example'],
    'CompetitorWebsites',
  ],
  [
    'competitors',
    'rival.example, other.example\nthird.example',
    ['rival.example', 'other.example', 'third.example'],
    'CompetitorWebsites',
  ],
  ['business_aliases', ['Oakies', 'O&S'], ['Oakies', 'O&S'], 'BusinessAliases'],
  ['competitors', ['one.example', 'www.one.example', 'HTTPS://ONE.example/'], ['one.example'], 'CompetitorWebsites'],
  [
    'competitors',
    '*.one.example, one.example., https://www.two.example./x',
    ['one.example', 'two.example'],
    'CompetitorWebsites',
  ],
]

const QUALITY = [
  'first_person_writing',
  'table_of_contents',
  'avoid_formulaic_section_endings',
  'require_operational_examples',
  'strict_banned_phrase_guard',
  'brand_intelligence',
  'duplicate_content_protection',
]
const FLAGS: Case[] = [true, false].flatMap((on): Case[] => [
  ...QUALITY.map((name): Case => [name, on, on, 'ArticleQualitySettings']),
  ['title_based_featured_image', on, on, 'ImagePreferences'],
  ['videos_enabled', on, on, 'VideosEnabled'],
  ['backlinks_network', on, on, 'BacklinksNetwork'],
  ['weekly_suggestions', on, on, 'WeeklySuggestions'],
  ['tell_search_engines', on, on, 'TellsEngines'],
])

const IMAGES: Case[] = [
  ['image_hosting', 'cms', 'CMS', 'ImagePreferences'],
  ['image_hosting', 'Galley', 'Galley', 'ImagePreferences'],
  ['image_hosting', 'CMS', 'CMS', 'ImagePreferences'],
  ['image_hosting', 'distribb', 'Galley', 'ImagePreferences'],
  ['image_style', 'watercolour', 'watercolour', 'ImagePreferences'],
  ['image_style', null, null, 'ImagePreferences'],
  ['brand_color', '#0aF1e2', '#0aF1e2', 'ImagePreferences'],
  ['brand_color', '', null, 'ImagePreferences'],
  ['image_prompt_instructions', 'No people.', 'No people.', 'ImagePreferences'],
]

const ALIASES: Case[] = [
  ['internal_links', 2, 2, 'InternalLinksPerArticle'],
  ['extra_banned_phrases', 'win, win', ['win, win'], 'BannedPhrases'],
  ['duplicate_content_guard_enabled', false, false, 'ArticleQualitySettings'],
  ['competitor_websites', ['third.example'], ['third.example'], 'CompetitorWebsites'],
]
const CANONICAL: Record<string, string> = {
  internal_links: 'internal_links_per_article',
  extra_banned_phrases: 'banned_phrases',
  duplicate_content_guard_enabled: 'duplicate_content_protection',
  competitor_websites: 'competitors',
}

/** Settings whose notes say that they have a limited effect (`settings-effects.test.ts`). */
const NOTED = ['image_hosting', 'social_media_ai_instructions']

const settingsOf = async (api: Api, id: number): Promise<Record<string, unknown>> =>
  (await api.get(`/projects/${id}`)).body.settings as Record<string, unknown>

describe('PUT /projects/:id keeps every setting', () => {
  it.each([
    ['texts and numbers', TEXTS],
    ['enumerations', ENUMS],
    ['lists', LISTS],
    ['flags', FLAGS],
    ['image preferences', IMAGES],
    ['aliases', ALIASES],
  ])('%s', async (_, cases) => {
    const api = manyKeys(stack, await newAccount(stack))
    const id = await newProject(api)
    let expected = await settingsOf(api, id)
    for (const [field, sent, read, column] of cases) {
      const name = CANONICAL[field] ?? field
      const { status, body } = await api.put(`/projects/${id}`, { [field]: sent })
      expect([field, sent, status]).toEqual([field, sent, 200])
      expect(body).toEqual({
        project_id: id,
        updated_fields: [name],
        updated_columns: [column],
        message: expect.any(String),
        ignored: [],
        notes: NOTED.includes(name) && read !== 'Galley' ? { [name]: expect.any(String) } : {},
      })
      expected = { ...expected, [name]: read }
      expect(await settingsOf(api, id)).toEqual(expected)
    }
  })

  it('uses the setting’s own name if an alias is sent too, and says so', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    const { body } = await api.put(`/projects/${id}`, { internal_links: 2, internal_links_per_article: 5 })
    expect(body).toMatchObject({
      updated_fields: ['internal_links_per_article'],
      ignored: ['internal_links'],
      notes: { internal_links: expect.stringContaining('another name of internal_links_per_article') },
    })
    expect(await settingsOf(api, id)).toMatchObject({ internal_links_per_article: 5 })
  })

  it('resets to the default for null', async () => {
    const api = manyKeys(stack, await newAccount(stack))
    const id = await newProject(api, { publish_time: undefined })
    // In the order of the table above, every setting by its last value.
    const last = Object.fromEntries(
      [...TEXTS, ...ENUMS, ...LISTS, ...FLAGS, ...IMAGES].map(([name, sent]) => [name, sent]),
    )
    const names = Object.keys(last)
    const { business_name: _, articles_per_day, ...fresh } = await settingsOf(api, id)
    expect(new Set([...names, 'crowdwork_budget'])).toEqual(new Set([...Object.keys(fresh), 'business_name']))
    await api.put(`/projects/${id}`, last)
    const { status, body } = await api.put(`/projects/${id}`, Object.fromEntries(names.map((name) => [name, null])))
    expect({ status, fields: new Set(body.updated_fields as string[]) }).toEqual({
      status: 200,
      fields: new Set(names),
    })
    expect(await settingsOf(api, id)).toEqual({ ...fresh, business_name: '', brand_color: null, articles_per_day })
  })

  it('writes many at once and names each stored column once', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    const { body } = await api.put(`/projects/${id}`, {
      tone: 'Persuasive',
      competitors: ['r.example'],
      table_of_contents: true,
      brand_intelligence: false,
      image_style: 'flat',
      brand_color: '#000001',
    })
    expect([...(body.updated_columns as string[])].sort()).toEqual([
      'ArticleQualitySettings',
      'CompetitorWebsites',
      'ContentStyle',
      'ImagePreferences',
    ])
    expect((body.updated_fields as string[]).length).toBe(6)
  })

  it('merges preferences sent at the same moment', { tags: ['services'] }, async () => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    const sent = { table_of_contents: true, first_person_writing: true, require_operational_examples: true }
    await Promise.all(Object.entries(sent).map(([name, value]) => api.put(`/projects/${id}`, { [name]: value })))
    expect(await settingsOf(api, id)).toMatchObject(sent)
  })

  it('uses the canonical name if both are sent', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    await api.put(`/projects/${id}`, { internal_links: 1, internal_links_per_article: 4 })
    expect(await settingsOf(api, id)).toMatchObject({ internal_links_per_article: 4 })
  })

  it('shows the change in the project row and its UpdatedAt', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    const before = (await api.get(`/projects/${id}`)).body.project as Record<string, string>
    await api.put(`/projects/${id}`, { business_name: 'New name', publish_time: '07:15' })
    const after = (await api.get(`/projects/${id}`)).body.project as Record<string, string>
    expect(after).toMatchObject({ BusinessName: 'New name', PublishTime: '07:15', CreatedAt: before.CreatedAt })
    expect(Date.parse(after.UpdatedAt ?? '')).toBeGreaterThan(Date.parse(before.UpdatedAt ?? ''))
  })
})

describe('PUT /projects/:id names what it ignores', () => {
  it('each has a sentence, and the rest is written', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    const { status, body } = await api.put(`/projects/${id}`, {
      articles_per_day: 9,
      optimization_thresholds: { ctr: 1 },
      min_impressions_threshold: 3,
      min_impressions: 3,
      style: 'x',
      business_name: 'Kept',
    })
    expect(status).toBe(200)
    expect(body.updated_fields).toEqual(['business_name'])
    const ignored = [
      'articles_per_day',
      'min_impressions',
      'min_impressions_threshold',
      'optimization_thresholds',
      'style',
    ]
    expect([...(body.ignored as string[])].sort()).toEqual(ignored)
    const notes = body.notes as Record<string, string>
    expect(Object.keys(notes).sort()).toEqual(ignored)
    for (const note of Object.values(notes)) expect(note).toMatch(/^\S.* .*\.$/)
    expect(notes.min_impressions).toContain('applied at scan time')
    const misspelt = { website_url: 'https://b.example', busines_name: 'x', Tone: 'Informative', business_name: 'Kept' }
    expect((await api.put(`/projects/${id}`, misspelt)).body.notes).toEqual({
      website_url: expect.stringContaining('cannot be changed'),
      busines_name: expect.stringContaining('Did you mean business_name?'),
      Tone: expect.stringContaining('Did you mean tone?'),
    })
    expect(await settingsOf(api, id)).toMatchObject({ business_name: 'Kept', articles_per_day: 0 })
  })

  it('and says what a setting is after null', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    const { body } = await api.put(`/projects/${id}`, { tone: null, image_hosting: null, image_style: null })
    expect(body.message).toBe(
      'Updated tone, image_hosting, image_style. tone is back to its default, Informative. image_hosting is back to its default, Galley. image_style is cleared.',
    )
  })

  it('and accepts a body of read-only names alone', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    const { status, body } = await api.put(`/projects/${id}`, { articles_per_day: 2 })
    expect(status).toBe(200)
    expect(body.notes).toEqual({ articles_per_day: expect.stringContaining(`POST /projects/${id}/article-plan`) })
    expect(body).toMatchObject({ updated_fields: [], updated_columns: [], ignored: ['articles_per_day'] })
  })
})

describe('PUT /projects/:id refuses', () => {
  it.each([
    ['business_name', 'x'.repeat(501)],
    ['business_name', 'a\u0000b'],
    ['ai_instructions', 'x'.repeat(10_001)],
    ['internal_links_per_article', 0],
    ['internal_links_per_article', 6],
    ['internal_links_per_article', 2.5],
    ['internal_links_per_article', '3'],
    ['tone', 'Angry'],
    ['language', 'Klingon'],
    ['language', 'xx'],
    ['language', 'tlh'],
    ['language', ''],
    ['writing_profile', ''],
    ['publishing_status', true],
    ['social_media_publishing_status', 'Send as Drafts'],
    ['image_hosting', 'elsewhere'],
    ['brand_color', '#fff'],
    ['brand_color', 'red'],
    ['publish_time', '24:00'],
    ['publish_time', '9:00'],
    ['publish_time', '09:00:00'],
    ['timezone', 'Mars/Olympus'],
    ['timezone', ''],
    ['timezone', '+02:00'],
    ['table_of_contents', 'true'],
    ['videos_enabled', 1],
    ['target_audience', [1]],
    ['content_pillars', 'not a url'],
    ['content_pillars', ['https://a.example', 'ftp://a.example']],
    ['competitors', 'no domain'],
    ['competitors', ['https://rival.example/a b']],
    ['content_pillars', ['https://a.example/a\tb']],
    ['blog_root_url', 'https://a.example/a b'],
    ['keyword_region', 'Atlantis'],
    ['keyword_region', 'Austin, United States'],
    ['sitemap_url', '/sitemap.xml'],
    ['sitemap_url', 'http://10.1.2.3/sitemap.xml'],
    ['blog_root_url', 'http://metadata.google.internal/'],
    ['content_pillars', ['http://[fd00::1]/']],
  ])('%s %j, and changes nothing', async (field, value) => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    const before = await settingsOf(api, id)
    const { status, body } = await api.put(`/projects/${id}`, { custom_author_name: 'Nobody', [field]: value })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: expect.any(String),
      code: expect.stringMatching(/^(invalid_input|forbidden_url)$/),
    })
    expect((fieldsOf(body)[0] as string).split('.')[0]).toBe(field)
    expect(await settingsOf(api, id)).toEqual(before)
  })

  it('refuses a region with the nearest country, and changes nothing', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    const messageOf = async (sent: object) =>
      ((await api.put(`/projects/${id}`, sent)).body.details as { message: string }[] | undefined)?.[0]?.message
    expect(await messageOf({ keyword_region: 'Germny' })).toContain('Did you mean Germany?')
    expect(await messageOf({ keyword_region: 'Österreich' })).toContain('ISO code')
    expect(await messageOf({ keyword_region: 'Österreich', language: 'de' })).toBeUndefined()
    expect(await settingsOf(api, id)).toMatchObject({ keyword_region: 'Österreich', language: 'German' })
  })

  it('names the allowed values', async () => {
    const api = await newAccount(stack)
    const { body } = await api.put(`/projects/${await newProject(api)}`, { tone: 'Angry' })
    expect(body.details).toEqual([
      { field: 'tone', message: expect.any(String), allowed: ['Informative', 'Conversational', 'Persuasive'] },
    ])
  })

  it('a body has no setting at all', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    for (const sent of [{}, { unknown: 1 }, { website_url: 'https://a.example' }]) {
      const { status, body } = await api.put(`/projects/${id}`, sent)
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'no_fields' })
      expect(body.details).toEqual([
        {
          field: 'body',
          message: expect.any(String),
          allowed: expect.arrayContaining(['tone', 'competitor_websites']),
        },
      ])
    }
  })

  it('a project of another account with 403, an unknown one with 404, changing nothing', async () => {
    const [api, other] = await Promise.all([newAccount(stack), newAccount(stack)])
    const id = await newProject(other)
    const before = await settingsOf(other, id)
    expect((await api.put(`/projects/${id}`, { business_name: 'Mine' })).status).toBe(403)
    expect((await api.put('/projects/2147483647', { business_name: 'Mine' })).status).toBe(404)
    expect((await api.put('/projects/x', { business_name: 'Mine' })).status).toBe(400)
    expect(await settingsOf(other, id)).toEqual(before)
  })
})
