import { SETTINGS as PROJECT_SETTINGS } from '../../src/accounts/projects/settings.ts'
/** Kind of a field in a JSON body. The number is the longest text in characters, or the largest integer. */
export type Kind = (
  | { is: 'text'; max: number; filled?: boolean; raw?: boolean }
  | { is: 'label' | 'url' | 'time' | 'zone' | 'clock' | 'color' | 'flag' | 'list' | 'token' | 'site' | 'base64' }
  | { is: 'int'; min: number; max: number }
  /** Any integer from 1 on, however large. */
  | { is: 'count' }
  /** Dollars with at most two decimals. */
  | { is: 'money'; min: number; max: number }
  /** An object with fields of its own, none of which is `a`. In an open one every field may be left out. */
  | { is: 'object'; isOpen?: boolean }
) & {
  nullable?: boolean
  /** True if `""` clears the field. */
  emptyClears?: boolean
}

const NO_STRINGS = [7, -0.5, true, false, {}, { a: 'x' }, [], ['x']]
const FORBIDDEN = ['\u0000', 'a\u0007b', '\u001bx', 'del\u007f', '\ud800', 'a\udfffb', '\ud83d']

const badText = (kind: Extract<Kind, { is: 'text' }>): unknown[] => [
  ...NO_STRINGS,
  ...FORBIDDEN,
  'x'.repeat(kind.max + 1),
  ...(kind.filled ? ['', ' \t\n '] : []),
]

const FORMS: Record<Exclude<Kind['is'], 'text' | 'int' | 'count' | 'money' | 'flag' | 'list' | 'object'>, unknown[]> = {
  label: ['', ' ', 'nonsense', 'x'.repeat(5_000)],
  url: [
    ...['https://a.example/b c', 'https://a.exa\tmple/', 'https://a.example/\u0085', 'https://a.example/\u00a0b'],
    ...['nonsense', '//x.example', 'ftp://x.example/a', 'javascript:alert(1)', 'https://u:p@x.example/', 'https://'],
  ],
  site: ['', ' ', 'a.example/b c', 'a.exa\nmple', 'x'.repeat(2_001)],
  time: [
    '',
    'tomorrow',
    '2026-02-30',
    '2026-13-01',
    '2026-01-01T25:00',
    '2026-01-01T10:00:00+99:00',
    '1234',
    '12026-01-01',
  ],
  zone: ['', 'Nowhere/Land', '+05:00', 'Europe/Amsterdam; drop', 'x'.repeat(5_000)],
  clock: ['', '24:00', '9:00', '09:60', '09:00:00', '0900'],
  color: ['', 'red', '#12345', '#12345g', '#1234567', 'rgb(1,2,3)'],
  base64: [
    '',
    'data:image/png;base64,',
    'not base64!',
    'a',
    'AA=A',
    'data:image/png,x',
    'data:image/png;base64',
    'AAAA\u0000',
  ],
  token: ['', ' ', 'two words', 'caf\u00e9', 'x'.repeat(1_001)],
}

/** Values the field must refuse, of every JSON type and of every malformed form. */
export const badValues = (kind: Kind): unknown[] =>
  valuesAgainst(kind).filter((value) => !(value === null && kind.nullable) && !(value === '' && kind.emptyClears))

const valuesAgainst = (kind: Kind): unknown[] => {
  if (kind.is === 'text') return [...badText(kind), null]
  if (kind.is === 'object') return [7, true, 'x', [], ['x'], ...(kind.isOpen ? [] : [{ a: 'x' }]), null]
  if (kind.is === 'flag') return ['true', '', 0, 1, {}, [], [true], null]
  if (kind.is === 'int') return ['1', '', 1.5, kind.min - 1, kind.max + 1, -1, 1e9 * 1e9, true, {}, [], [1], null]
  if (kind.is === 'count') return ['1', '', 1.5, 0, -1, -1e300, true, {}, [], [1], null]
  if (kind.is === 'money')
    return [...['1', '', kind.min - 0.01, kind.max + 0.01, kind.min + 0.001, -1, true, {}, [], [1], null]]
  if (kind.is === 'list')
    return [
      ...[7, true, {}, { 0: 'x' }, [7], [null], [['x']], [{}], ['ok', false], null],
      ...FORBIDDEN.map((text) => [text]),
      ...['x\u0000,y', 'x'.repeat(501), ['ok', 'x'.repeat(501)], Array.from({ length: 201 }, (_, n) => `entry${n}`)],
    ]
  return [...NO_STRINGS, ...(kind.is === 'site' || kind.is === 'base64' ? [] : FORBIDDEN), ...FORMS[kind.is], null]
}

const text = (max: number, more: { filled?: boolean; nullable?: boolean } = {}): Kind => ({ is: 'text', max, ...more })
const cleared = (kinds: Record<string, Kind>): Record<string, Kind> =>
  Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, { ...kind, nullable: true }]))
const many = (names: string, kind: Kind): Record<string, Kind> =>
  Object.fromEntries(names.split(' ').map((name) => [name, kind]))

/** Settings that are on or off, and their older names. */
const FLAGS = Object.entries(PROJECT_SETTINGS)
  .filter(([, { schema }]) => schema._zod.def.type === 'boolean')
  .flatMap(([name, { aliases = [] }]) => [name, ...aliases])

/** Settings of projects. Null restores the default. */
const SETTINGS: Record<string, Kind> = cleared({
  ...many('business_name primary_location custom_author_name', text(500)),
  ...many('keyword_region image_hosting', text(500, { filled: true })),
  ...many('business_description social_media_ai_instructions image_prompt_instructions', text(10_000)),
  ai_instructions: text(10_000),
  image_style: text(500),
  ...many('sitemap_url blog_root_url', { is: 'url' }),
  ...many(
    'business_aliases target_audience content_pillars banned_phrases extra_banned_phrases competitors competitor_websites',
    {
      is: 'list',
    },
  ),
  ...many('internal_links_per_article internal_links', { is: 'int', min: 1, max: 5 }),
  ...many('tone language writing_profile product_positioning publishing_status social_media_publishing_status', {
    is: 'label',
  }),
  cta_intensity: { is: 'label' },
  publish_time: { is: 'clock' },
  timezone: { is: 'zone' },
  brand_color: { is: 'color', emptyClears: true },
  ...many(FLAGS.join(' '), { is: 'flag' }),
  crowdwork_budget: { is: 'money', min: 0, max: 1_000_000 },
})

const ARTICLE: Record<string, Kind> = {
  keyword: text(500, { filled: true }),
  title: text(500, { filled: true, nullable: true }),
  content: text(500_000, { nullable: true }),
  ...many('meta_description alt_text', text(1_000, { nullable: true })),
  category: text(200, { nullable: true }),
  seo_title: text(500, { nullable: true }),
  slug: text(200, { nullable: true }),
  canonical_url: { is: 'url', nullable: true },
  instructions: text(10_000, { nullable: true }),
  ...many('status article_style content_format', { is: 'label', nullable: true }),
  scheduled_date: { is: 'time', nullable: true, emptyClears: true },
  published_at: { is: 'time', nullable: true, emptyClears: true },
  feature_image: { is: 'url', nullable: true },
  tags: { is: 'list', nullable: true },
  fields: { is: 'object', isOpen: true, nullable: true },
}

const pick = (names: string): Record<string, Kind> =>
  Object.fromEntries(Object.entries(ARTICLE).filter(([name]) => names.split(' ').includes(name)))

const PROMPT: Record<string, Kind> = {
  project_id: { is: 'int', min: 1, max: 2_147_483_647 },
  prompt: text(300, { filled: true }),
}

/** Every field of every JSON body, by operation, as the interface describes it. */
export const FIELDS: Record<string, Record<string, Kind>> = {
  'projects.create': { website_url: { is: 'site' }, ...SETTINGS },
  'projects.update': SETTINGS,
  'projects.article_plan': { plan: { is: 'int', min: 5, max: 90 } },
  'articles.create': {
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    external_ref: text(200, { filled: true }),
    ...ARTICLE,
  },
  'articles.batch': { project_id: { is: 'int', min: 1, max: 2_147_483_647 }, articles: { is: 'object' } },
  // Exactly one of `url` and `post_id`; the address is one that the site's posts have.
  'articles.adopt': {
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    url: { is: 'site' },
    post_id: text(200, { filled: true }),
  },
  'changes.create': {
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    name: text(200, { filled: true }),
    changes: { is: 'object' },
  },
  'reports.make': { month: { is: 'clock' } },
  'statements.create': {
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    name: text(200, { filled: true }),
    wording: text(500, { filled: true }),
    alternatives: { is: 'list' },
  },
  'statements.change': {
    wording: text(500, { filled: true }),
    uses: { is: 'object' },
    before_id: { is: 'int', min: 1, max: 2_147_483_647 },
  },
  'event_endpoints.create': {
    url: { is: 'url' },
    kinds: { is: 'list' },
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    description: text(200),
  },
  'event_endpoints.update': {
    url: { is: 'url' },
    kinds: { is: 'list' },
    project_id: { is: 'int', min: 0, max: 2_147_483_647, emptyClears: true, nullable: true },
    description: text(200, { nullable: true }),
  },
  'event_endpoints.replay': { after: { is: 'int', min: 0, max: 2_147_483_647 } },
  'changes.release': { skip_refused: { is: 'flag' } },
  'projects.move': { website_url: { is: 'site' } },
  'articles.translation': {
    translation_of: { is: 'int', min: 1, max: 2_147_483_647 },
    language: text(100, { filled: true }),
  },
  'projects.adopt': { post_ids: { is: 'list' }, urls: { is: 'list' }, every_post: { is: 'flag' } },
  'articles.generate': {
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    source_content: { is: 'text', max: 200_000, filled: true, raw: true },
    ...pick('keyword title article_style'),
    instructions: text(10_000),
  },
  'articles.update': { ...ARTICLE, sync: { is: 'flag' } },
  'articles.restore': { sync: { is: 'flag' } },
  'articles.sync': pick(
    'content content_format title meta_description feature_image alt_text tags category seo_title canonical_url fields',
  ),
  // Credentials and other schemes are `forbidden_url`, as in every address that will be asked.
  'articles.address': { url: { is: 'site' } },
  'articles.rollback': { version_id: { is: 'int', min: 1, max: 2_147_483_647 } },
  'projects.cms_site': {
    ...many('cms_url wordpress_url', { is: 'url' }),
    ...many('cms_username wp_username', text(200)),
    integration_key: text(500, { filled: true }),
  },
  'screenshots.take': { url: { is: 'url' }, name: text(200, { filled: true }) },
  'social.media': {
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    file: { is: 'object' },
    media_url: { is: 'url' },
  },
  'images.create': { image_base64: { is: 'base64' }, image_url: { is: 'url' } },
  'integrations.update': {
    ...many('access_token', text(1_000, { filled: true })),
    name: text(200, { filled: true }),
    rotate_signing_secret: { is: 'flag' },
  },
  'keywords.search': {
    keyword: text(80, { filled: true }),
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    limit: { is: 'count' },
    source: { is: 'label' },
  },
  'calls.plan': { calls: { is: 'object' } },
  'keys.create': {
    name: text(100, { filled: true }),
    scope: { is: 'label' },
    expires_at: { is: 'time', nullable: true },
  },
  undo: {
    key_id: { is: 'int', min: 1, max: 2_147_483_647 },
    request_id: text(100, { filled: true }),
    since: { is: 'time' },
    dry_run: { is: 'flag' },
    before_id: { is: 'int', min: 1, max: 2_147_483_647 },
    limit: { is: 'count' },
  },
  'projects.import': { export_id: { is: 'int', min: 1, max: 2_147_483_647 }, file: { is: 'object' } },
  'invitations.create': {
    email: text(254, { filled: true }),
    role: { is: 'label' },
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
  },
  'provider_keys.save': many('login password api_key', { is: 'token' }),
  'integrations.test': { sample: { is: 'flag' } },
  'engines.verify': { new_key: { is: 'flag' } },
  'deliveries.replay': { force: { is: 'flag' } },
  'visibility.scan': {
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    samples: { is: 'int', min: 1, max: 5 },
  },
  'search.choose_property': { property: text(2_000, { filled: true }) },
  'visibility.bing.import': {
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    file: { is: 'text', max: 900_000, raw: true },
    from: { is: 'time' },
    to: { is: 'time' },
  },
  'visibility.prompts.add': PROMPT,
  'visibility.prompts.remove': PROMPT,
  'outreach.erase': { id: text(128), address: text(500, { filled: true }) },
  'outreach.sync': {
    since: text(500, { filled: true, nullable: true }),
    ...many('persons identities leads actions suppressions', { is: 'list' }),
  },
  'profile.reply': {
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    account_id: text(100, { filled: true }),
    review_id: text(500, { filled: true }),
    message: text(4_096, { filled: true }),
  },
  'profile.remove_reply': {
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    account_id: text(100, { filled: true }),
    review_id: text(500, { filled: true }),
  },
  'profile.post': {
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    account_id: text(100, { filled: true }),
    ...many('summary text', text(1_500, { filled: true })),
    media_url: { is: 'url' },
    ...many('image_url link', { is: 'url', nullable: true }),
    scheduled_date: { is: 'time', nullable: true },
    allow_duplicate: { is: 'flag' },
    call_to_action: { is: 'object' },
  },
  'suggestions.run': { project_id: { is: 'int', min: 1, max: 2_147_483_647 } },
  'suggestions.reject': { reason: text(2_000) },
  'suggestions.regenerate': { feedback: text(2_000) },
  // Each network's adapter checks its other fields.
  'social.connect': { project_id: { is: 'int', min: 1, max: 2_147_483_647 }, platform: { is: 'label' } },
  'social.publish': {
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    content: { is: 'text', max: 63_206, raw: true },
    ...many('platforms media_files', { is: 'list' }),
    account_id: text(100, { filled: true }),
    link: { is: 'url', nullable: true },
    scheduled_for: { is: 'time', nullable: true },
    ...many('is_comment_for_guide draft allow_duplicate', { is: 'flag' }),
    ...many('platform_overrides comment_for_guide_config', { is: 'object' }),
  },
  'social.publish_post': {
    content: { is: 'text', max: 63_206, raw: true },
    scheduled_for: { is: 'time', nullable: true },
  },
  'social.comment_for_guide': {
    is_comment_for_guide: { is: 'flag' },
    comment_for_guide_config: { is: 'object', isOpen: true },
  },
  'crowdwork.create': {
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
    title: text(200, { filled: true }),
    description: text(10_000, { filled: true }),
    template_html: { is: 'text', max: 200_000, raw: true },
    available_positions: { is: 'int', min: 1, max: 1_000 },
    payment_per_task: { is: 'money', min: 0.15, max: 1_000 },
    ...many('platform campaign_type category_id', text(100, { filled: true })),
    minutes_to_finish: { is: 'int', min: 1, max: 10_080 },
    ttr: { is: 'int', min: 1, max: 30 },
    speed: { is: 'int', min: 1, max: 1_000 },
    template_title: text(200, { filled: true }),
    number_of_file_proofs: { is: 'int', min: 0, max: 20 },
    allowed_file_types: { is: 'list' },
  },
  'crowdwork.register': {
    campaign_id: text(200, { filled: true }),
    project_id: { is: 'int', min: 1, max: 2_147_483_647 },
  },
  'crowdwork.rate': { campaign_id: text(200, { filled: true }), rating: { is: 'label' }, comment: text(2_000) },
  // Each platform's form checks its other fields.
  'targets.add': { platform: { is: 'label' }, name: text(200, { filled: true }) },
  'integrations.connect': { platform: { is: 'label' }, name: text(200, { filled: true }) },
}
