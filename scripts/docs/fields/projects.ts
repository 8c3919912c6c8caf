import { LANGUAGES } from '../../../src/platform/lib/languages.ts'
import { lengthOf, type Words } from './word.ts'

const FROM_SCAN = 'found by the site scan'

/** Words for the writable settings of a project. The default is the value in a new project. */
const SETTINGS: Words = {
  ai_instructions: ['Instructions that the writer follows in every article. Null clears them.', 'null'],
  business_name: ['Name of the business.', `${FROM_SCAN}, otherwise empty`],
  business_aliases: [
    'Other names of the business, such as a former or a short name: a list, or one per line. Search queries and AI answers with these names count for the business.',
    'empty',
  ],
  business_description: [
    'Description of the business and its customers. The basis for articles and keywords.',
    `${FROM_SCAN}, otherwise empty`,
  ],
  target_audience: ['Audience segments: a list, or text separated by commas or line breaks.', 'empty'],
  sitemap_url: ['URL of the sitemap. Empty clears it.', FROM_SCAN],
  blog_root_url: ['URL of the blog’s start page. Empty clears it.', FROM_SCAN],
  content_pillars: [
    'URLs of the most important pages, which articles should link to first: a list, or text separated by commas or line breaks.',
    'empty',
  ],
  internal_links_per_article: ['Number of links to other pages of the site that an article should have.', '3'],
  internal_links: 'Older name of `internal_links_per_article`.',
  tone: ['Tone of the articles.', '`Informative`'],
  language: [
    `Language of the articles: a BCP 47 code (\`pt-BR\`) or a label. Labels: ${LANGUAGES.join(', ')}.`,
    'the site’s language if the scan finds it, otherwise `English (US)`',
  ],
  keyword_region: ['Country whose searches count: its name or two-letter ISO code, or `Worldwide`.', '`Worldwide`'],
  primary_location: ['Location that the business serves. The writer uses it.', 'empty'],
  writing_profile: ['Kind of author that the articles should sound like.', '`Balanced SEO`'],
  product_positioning: ['Prominence of the product in articles.', '`Soft mention`'],
  custom_author_name: ['Byline of the articles.', 'empty, the target’s default author'],
  social_media_ai_instructions: [
    'Instructions for social posts about articles, for the language model. Without a model: hashtags in this text are added to each post.',
    'empty',
  ],
  publish_time: [
    'Time of day at which planned articles are published, in `timezone`.',
    'a minute of the project between 08:30 and 10:00',
  ],
  timezone: ['Time zone in which dates without an offset are read and shown.', '`UTC`'],
  publishing_status: [
    'Action on the date of a planned article: it is published, stays in this service as a draft, or is sent to the target as a draft.',
    '`Publish Immediately`',
  ],
  social_media_publishing_status: [
    'Action for social posts about a new article: published, or saved as drafts.',
    '`Save as Drafts`',
  ],
  image_hosting: [
    'Host of the images of articles: the service’s name (also `Distribb`), or `CMS`. `CMS` has an effect only with CMS targets.',
    'the service',
  ],
  image_style: ['Image style, in your own words. Null clears it.', 'null'],
  brand_color: ['Color of title cards.', '`#000000`'],
  image_prompt_instructions: ['Text to add to requests to an image model.', 'empty'],
  title_based_featured_image: ['True: the feature image shows the title.', '`false`'],
  cta_intensity: ['Strength of an article’s call to action.', '`Soft`'],
  first_person_writing: ['True: articles use “I” and “we”.', '`false`'],
  table_of_contents: ['True: articles have a table of contents.', '`false`'],
  avoid_formulaic_section_endings: ['True: sections do not end with a summary of themselves.', '`true`'],
  require_operational_examples: ['True: advice has an example from practice.', '`false`'],
  strict_banned_phrase_guard: [
    'True: the writer also avoids variants and translations of `banned_phrases`.',
    '`false`',
  ],
  banned_phrases: ['Phrases that articles must not use: a list, or text with one per line.', 'empty'],
  extra_banned_phrases: 'Older name of `banned_phrases`.',
  brand_intelligence: ['True: the writer uses the topics that the site scan found.', '`true`'],
  duplicate_content_protection: [
    'True: the SEO report compares an article with other articles of the project.',
    '`true`',
  ],
  duplicate_content_guard_enabled: 'Older name of `duplicate_content_protection`.',
  videos_enabled: [
    'True: the writer embeds one suitable video. When a text is saved, a paragraph that is only a link to a YouTube video becomes a player.',
    '`false`',
  ],
  backlinks_network: [
    'True: the project takes part in the backlink exchange. Search engines may treat exchanged links as a link scheme.',
    '`false`',
  ],
  competitors: ['Domains that articles must not link to: a list, or text separated by commas or line breaks.', 'empty'],
  competitor_websites: 'Older name of `competitors`.',
  weekly_suggestions: ['True: the service looks for suggestions every Monday, in the hour from 06:00 UTC.', '`true`'],
  crowdwork_budget: ['Maximum cost of campaigns per month, in dollars. Null: no limit.', 'null'],
}

export const PROJECT_FIELDS: Readonly<Record<string, Words>> = {
  'projects.list': { limit: lengthOf(200, 1_000) },
  'projects.create': {
    website_url: 'URL of the website. Without a scheme, `https://` is added. It cannot be changed later.',
    ...SETTINGS,
  },
  'projects.update': SETTINGS,
  'projects.article_plan': {
    plan: 'Articles per month: 8 (premium), 30 (one a day) or 5 (for backlinks). 60 and 90 require the plan `accelerator`.',
  },
  'calls.plan': {
    calls: 'Calls in the order in which you intend to make them, at most 50.',
    'calls[].operation': [
      'ID of the operation, as in this reference. Send this, or `method` and `path`.',
      'from `method` and `path`',
    ],
    'calls[].method': ['HTTP method of the call. Send it with `path`.', 'from `operation`'],
    'calls[].path': [
      'Path of the call below `/api/v1`, with its query. IDs in it select the project’s policy. If an ID is not known yet, send `operation`.',
      'from `operation`',
    ],
    'calls[].body': ['Body of the call, validated as in the call itself.', 'no body'],
    'calls[].project_id': ['ID of the project whose policy applies.', 'from the body or the path'],
  },
  'keys.create': {
    name: 'Purpose of the key.',
    scope: 'Permissions of the key. Only people can create keys with `write` and `admin`.',
    expires_at: ['Time when the key expires. Without an offset it is UTC.', 'valid until it is revoked'],
  },
  'projects.import': {
    file: ['Archive, in a form. Send this or `export_id`.', 'the archive of `export_id`'],
    export_id: [
      'ID of a ready archive that this service created for the account. Send this or `file`.',
      'the uploaded `file`',
    ],
  },
  'invitations.create': {
    email: 'Email address to invite. An earlier invitation to this address becomes invalid.',
    role: '`editor`: works on the articles of the project. `client`: reads it and decides its approvals. Only people can invite members and make owners.',
    project_id: 'ID of the project.',
  },
  undo: {
    key_id: [
      'ID of the key whose changes are undone, as in `actor` of the audit log: your own key. With the scope `admin`: any key of the account.',
      'the key of the call',
    ],
    request_id:
      'ID of the request whose changes are undone: `X-Request-Id` of its response, or `request_id` in the audit log.',
    since: [
      'Undoes only changes at or after this time. Without an offset it is UTC. Required unless `request_id` is sent.',
      'all changes of the request',
    ],
    dry_run: ['True: only reports what would happen to each change, and changes nothing.', '`false`'],
    before_id: [
      'Includes only changes older than this entry: `before_id` of the previous response.',
      'starts with the newest',
    ],
    limit: lengthOf(20, 50),
  },
  'approvals.list': {
    project_id: ['Returns only approvals of this project.', 'all projects'],
    status: ['Returns only approvals with these statuses, separated by commas.', 'all'],
    kind: ['Returns only approvals of these kinds, separated by commas.', 'all'],
    article_id: ['Returns only approvals of this article.', 'all'],
  },
  'events.list': {
    after: ['Returns only later events: `after` of the previous response.', 'all kept events'],
    since: ['Returns only events at or after this time. Without an offset it is UTC.', 'all kept events'],
    limit: lengthOf(50, 200),
  },
  'account.get': {
    include: ['Returns only these parts of the response: the key, and its use in this month (UTC).', 'all but `usage`'],
  },
  'audit_log.list': {
    action: ['Returns only this action, such as `article.publish`.', 'all'],
    actor: ['Returns only actions by this actor: `key:7`, `operator`, `job:…`.', 'all'],
    since: ['Returns only actions at or after this time. Without an offset it is UTC.', 'all kept entries'],
  },
}
