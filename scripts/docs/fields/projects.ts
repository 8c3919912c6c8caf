import { LANGUAGES } from '../../../src/platform/lib/languages.ts'
import { lengthOf, type Words } from './word.ts'

/** Words for the writable settings of a project. The default is the value in a new project. */
const SETTINGS: Words = {
  ai_instructions: ['instructions the writer follows in every article; null clears', 'null'],
  business_name: ['the name of the business', 'what the scan of the site finds, else empty'],
  business_aliases: [
    'other names the business goes by, a list or one a line: a former or a short one; they count as its own in search queries and AI answers',
    'empty',
  ],
  business_description: [
    'what the business does, for whom: what articles and keywords are made from',
    'what the scan of the site finds, else empty',
  ],
  target_audience: ['who reads, one segment each; a list, or text with commas or line ends', 'empty'],
  sitemap_url: ['where the sitemap is; empty clears', 'what the scan of the site finds'],
  blog_root_url: ['where the blog begins; empty clears', 'what the scan of the site finds'],
  content_pillars: [
    'addresses of the pages everything is about, which articles are to link to first; a list, or text with commas or line ends',
    'empty',
  ],
  internal_links_per_article: ['links to other pages of the site that an article should have', '3'],
  internal_links: 'older name of `internal_links_per_article`',
  tone: ['how articles sound', '`Informative`'],
  language: [
    `the language articles are written in, by its BCP 47 code (\`pt-BR\`) or its label: ${LANGUAGES.join(', ')}`,
    'the site’s language where the scan finds it, else `English (US)`',
  ],
  keyword_region: [
    'the country whose searches count: its name or ISO code of two letters, or `Worldwide`',
    '`Worldwide`',
  ],
  primary_location: ['the place the business serves; the writer is told', 'empty'],
  writing_profile: ['who seems to be writing', '`Balanced SEO`'],
  product_positioning: ['how much the product is spoken of', '`Soft mention`'],
  custom_author_name: ['the byline', 'empty: the target’s own'],
  social_media_ai_instructions: [
    'wishes for posts about articles, for the language model; without one the hashtags named here stand under each',
    'empty',
  ],
  publish_time: ['time of day at which planned articles go out, in `timezone`', '`09:00`'],
  timezone: ['the zone in which dates without an offset are understood and shown', '`UTC`'],
  publishing_status: [
    'what happens to a planned article on its date: it goes live, stays here as a draft, or is sent to the target as a draft',
    '`Publish Immediately`',
  ],
  social_media_publishing_status: [
    'whether social posts about a new article go out or wait as drafts',
    '`Save as Drafts`',
  ],
  image_hosting: [
    'where pictures of articles are hosted: the service’s name (also `Distribb`) or `CMS`, which has an effect with CMS targets only',
    'the service',
  ],
  image_style: ['how pictures look, in your own words; null clears', 'null'],
  brand_color: ['colour of title cards', '`#000000`'],
  image_prompt_instructions: ['what to add when a picture is asked of a model', 'empty'],
  title_based_featured_image: ['the title stands on the feature image', '`false`'],
  cta_intensity: ['how much an article asks its reader to act', '`Soft`'],
  first_person_writing: ['articles say “I” and “we”', '`false`'],
  table_of_contents: ['articles have a table of contents', '`false`'],
  avoid_formulaic_section_endings: ['sections do not end with a summary of themselves', '`true`'],
  require_operational_examples: ['advice comes with an example from practice', '`false`'],
  strict_banned_phrase_guard: ['the writer keeps out variants and translations of `banned_phrases`, too', '`false`'],
  banned_phrases: ['phrases that may not stand in an article; a list, or text with one a line', 'empty'],
  extra_banned_phrases: 'older name of `banned_phrases`',
  brand_intelligence: ['the writer is told what the scan of the site found it to be about', '`true`'],
  duplicate_content_protection: ['the report compares an article with the project’s others', '`true`'],
  duplicate_content_guard_enabled: 'older name of `duplicate_content_protection`',
  videos_enabled: [
    'the writer embeds one video that fits, and a link to a YouTube video alone in its paragraph becomes a player when the text is saved',
    '`false`',
  ],
  backlinks_network: [
    'the project takes part in the backlink exchange; search engines may count exchanged links as a link scheme',
    '`false`',
  ],
  competitors: ['domains never to link to; a list, or text with commas or line ends', 'empty'],
  competitor_websites: 'older name of `competitors`',
  weekly_suggestions: ['suggestions are looked for every Monday, in the hour from 06:00 UTC on', '`true`'],
  crowdwork_budget: ['dollars a month that campaigns may cost; null: no limit', 'null'],
}

export const PROJECT_FIELDS: Readonly<Record<string, Words>> = {
  'projects.list': { limit: lengthOf(200, 1_000) },
  'projects.create': {
    website_url:
      'the address of the website; `https://` is put before it where a scheme is missing. It cannot be changed later',
    ...SETTINGS,
  },
  'projects.update': SETTINGS,
  'projects.article_plan': {
    plan: '8 premium articles a month, 30 (one a day), 5 (for backlinks); 60 and 90 on the plan `accelerator`',
  },
  'calls.plan': {
    calls: 'the calls in the order in which they are meant, at most 50',
    'calls[].operation': ['id of the operation, as this reference names it', 'give `method` and `path`'],
    'calls[].method': ['HTTP method of the call', 'give `operation`'],
    'calls[].path': [
      'its path below `/api/v1` with its query; ids in it say whose policy holds',
      'give `operation`, for a call whose id is not known yet',
    ],
    'calls[].body': ['its body, which is checked as by the call itself', 'the call has none'],
    'calls[].project_id': ['the project whose policy holds', 'that of the body or the path'],
  },
  'keys.create': {
    name: 'what the key is for',
    scope: 'what it may do; people make keys with `write` and `admin`',
    expires_at: ['when it ends; without an offset it is UTC', 'it holds until it is revoked'],
  },
  'projects.import': {
    file: ['in a form: the archive', 'give `export_id`'],
    export_id: ['an archive that was made here for the account and is ready', 'give `file`'],
  },
  'invitations.create': {
    email: 'whom to invite; an earlier invitation of the address holds no more',
    role: [
      '`member`: all projects; `editor`: works on the articles of one; `client`: reads one and decides its approvals. Only a person makes others owners',
      '`member`',
    ],
    project_id: 'the project of an editor or a client, who need one; not for a member',
  },
  undo: {
    key_id: [
      'the key whose changes are taken back: your own, or any of the account for a key with `admin`; `actor` in the audit log names it',
      'the key of the call',
    ],
    request_id:
      'the request whose changes are taken back: the `X-Request-Id` of its answer, or `request_id` in the audit log',
    since: [
      'only what was done at or after this time; without an offset it is UTC. Needed unless `request_id` is given',
      'all of the request',
    ],
    dry_run: ['only says what would become of each change; nothing is changed', '`false`'],
    before_id: ['only changes older than this entry: the `before_id` of the answer before', 'from the newest on'],
    limit: lengthOf(20, 50),
  },
  'approvals.list': {
    project_id: ['only what belongs to this project', 'all projects'],
    status: ['only these states, in a comma list', 'all'],
    kind: ['only these kinds, in a comma list', 'all'],
    article_id: ['only what is about this article', 'all'],
  },
  'events.list': {
    after: ['the `after` of the answer before: only what happened since', 'everything that is kept'],
    limit: lengthOf(50, 200),
  },
  'audit_log.list': {
    action: ['only this action, such as `article.publish`', 'all'],
    actor: ['only what this one did: `key:7`, `operator`, `job:…`', 'everybody'],
    since: ['only what was done at or after this time; without an offset it is UTC', 'all that is kept'],
  },
}
