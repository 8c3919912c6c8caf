import { SETUP } from './projects.ts'
import type { AnswerWords } from './word.ts'

type Words = AnswerWords[string]

const CLAIMED = 'True if the article is published as you saved it. The service’s writer does not change it.'
const DEVIATIONS =
  'Differences between what was sent and what the target did, and editors’ changes that were overwritten. Absent if there are none.'
const META_DESCRIPTION = 'Text that search results show below the title.'
const KEYWORD = 'Search term that the article targets.'

/** Words for answers to a save, with or without a request to a target. */
const CHANGED: Words = {
  status:
    '`Draft` and `Planned`: saved in this service only. `synced`: also saved at the target. `awaiting_approval`: saved here, and sent after a person approves it.',
  slug: 'New slug of the article. Absent if it did not change.',
  claimed: `${CLAIMED} Absent for a draft, or if this call did not affect the claim.`,
  warnings:
    'Problems with the saved article, such as a date in the past or missing content. With `synced`: differences between what was sent and what the target did. Absent if there are none.',
}

/** Words for the outcome of sending an article. */
const SENT: Words = {
  status:
    '`published`, `sent_as_draft`: the target has the article. `retrying`: the service sends it again automatically. `unknown`: it may have arrived; the service checks. `failed`: the service does not try again. `awaiting_approval`: it is sent automatically after a person approves it at `approve_url`.',
  warnings: DEVIATIONS,
  error: 'Reason why the target does not have the article, or why that is unknown, in one sentence.',
  expires_at: 'Time until which a person can approve it.',
  next_attempt_at: 'Time of the next automatic attempt. Absent if none is scheduled.',
  upstream: 'Response of the target. Absent if there was no HTTP status.',
  'upstream.name': '`receiver` for a webhook, otherwise the platform.',
  'upstream.status': 'HTTP status of the response.',
  'upstream.message': 'Description of the problem, in one sentence.',
}

/** Kind of connection that a project can have, with its existing connections. */
const CONNECTABLE: Words = {
  key: 'Key of the integration, for `GET /integrations/connect` and the calls that connect it.',
  name: 'Display name of the integration.',
  category: 'Category of the integration.',
  connected:
    'True if the project has one or more connected accounts of this integration. Keys for keyword data apply to the whole account.',
  accounts: 'Connected accounts of this integration.',
  account_id:
    'ID of the connection. Publishing target or Search Console: the `:id` of `GET /integrations/:id`. Social account: the ID in `GET /social/accounts`. Key: the name of its provider.',
  account_name: 'Display name of the account.',
  connect_url: 'URL of the page on which a signed-in person connects it.',
  note: 'Parts that could not be checked. Absent if everything was checked.',
}

/** Target that was connected to a project. */
const CONNECTED: Words = {
  status: 'Articles of the project are published to this target from now on.',
  replaced: 'Previous target of the project, which is now disconnected. Absent if there was none.',
  'replaced.integration_id': 'ID of the previous target. Its deliveries keep this ID.',
  'replaced.platform': '',
  'replaced.name': 'Display name of the previous target.',
  'replaced.url': 'Address of the previous target.',
  warning: 'Problem to check before you publish, such as a site that could not be tested. Absent if there is none.',
}

const INTEGRATION_ID = 'ID of the integration, as listed by `GET /integrations`.'

/** Words for the fields of one article that lists do not have. */
const DETAIL: Words = {
  Content: 'HTML of the body, sanitized.',
  MetaDescription: META_DESCRIPTION,
  FeatureImage: 'URL of the feature image. Empty if there is none.',
  AltText: 'Alternative text of the feature image.',
  Category: 'Category in the blog. May be empty.',
  Tags: '',
  SeoTitle: 'Title for search results. Empty if it is the same as the title.',
  CanonicalUrl: 'URL where the text was first published. Empty if that is the article’s own URL.',
  Instructions: 'Instructions to the writer for this article. May be empty.',
  Author: 'Byline, from `custom_author_name` of the project. Empty: the target’s default author.',
  Claimed: 'The same as `claimed`.',
  PublishError:
    'Reason for the state `retrying`, `unknown` or `failed`, in one sentence. Null if there was no problem.',
  GenerationError:
    'Reason why the writer’s last attempt failed, or why its text is not published on its date. Null if neither applies, and once the article is `Published`.',
  Progress: 'Progress of the writer. Null unless the writer is working on the article.',
  'Progress.step': 'Number of completed steps: the plan, then each part of the text.',
  'Progress.of': 'Total number of steps; the last one is the check. 3 until the steps are planned.',
  'Progress.percent': 'Percentage from 0 to 99.',
  'Progress.label': 'Current step, as text for people.',
  Receipt:
    'What readers see: result of the last check of the live page. It is checked some seconds after a publication, sync or rollback, and again while it does not show the article. Null before that, and for drafts.',
  'Receipt.checked_at': '',
  'Receipt.revision':
    'Revision that the page shows, among those that were sent last; if it shows none, the one that was looked for. Null if the page could not be read.',
  'Receipt.images_checked':
    'Number of images that were asked for at their URL on the page, of all images of the content.',
  'Receipt.images_checked.asked': 'Images of the page that were asked for, at most 20.',
  'Receipt.images_checked.of': 'Images of the content.',
  'Receipt.next_check_at':
    'Time of the next check, while the page does not show the article: after 1, 5 and 20 minutes and 2 hours. Null if none follows.',
  'Receipt.http_status':
    'HTTP status of the page. Null if the page did not respond; the fields below are then not checked.',
  'Receipt.text_found':
    'True if the page shows the longest sentence of the text. Absent if no sentence is distinctive enough.',
  'Receipt.title_found': 'True if the page’s title or one of its h1 and h2 headings has the article’s title.',
  'Receipt.canonical': 'URL in the canonical link of the page. Null if there is none.',
  'Receipt.indexable': 'True if the page returns 200 and neither the page nor its headers have `noindex`.',
  'Receipt.images_ok':
    'True if the page has every image of the content, and every image that was asked for loads (see `images_checked`).',
  'Receipt.links_ok': 'True if the page has every link of the content.',
  'Receipt.error': 'Reason why the page could not be checked. Absent if it was.',
  Revision: 'Number of the current version. Every change that readers can notice increases it.',
}

export const ARTICLE_ANSWERS: AnswerWords = {
  articles: {
    Approval:
      'Request for a person to approve the article or its change. Null if there is none, after the approved article went out, or if the text changed since the request.',
    'Approval.id': 'ID of the approval, the `:id` of `GET /approvals/:id`.',
    'Approval.status':
      '`awaiting`: no decision yet. `approved`: goes out now or on its date. `returned`: `comment` describes what to change. `expired`: no decision in time.',
    'Approval.approve_url': 'URL of the page on which a person decides.',
    'Approval.comment': 'Comment of the person. Null if there is none.',
    ID: 'ID of the article, the `:id` in paths.',
    Title: '',
    MainKeyword: KEYWORD,
    Status:
      '`Draft`: not published automatically. `Planned`: published on its date. `Generating`: the writer is working on it. `Published`: the target has it.',
    ScheduledDate: 'Publication time as local time in the project’s time zone. Null without a date.',
    ScheduledAt: 'The same time in UTC.',
    ProjectID: 'ID of the project, as listed by `GET /projects`.',
    Slug: 'Last part of the article’s URL.',
    ArticleStyle: 'Type of article. It sets the target length in the brief.',
    Url: 'URL of the post at the target. Null until the target has reported one.',
    PublishState:
      '`idle`: no publication in progress. `publishing`: being sent. `retrying`: the service sends it again automatically. `unknown`: it may have arrived. `failed`: the service does not try again; `PublishError` has the reason. `awaiting_approval`: a person has to approve it, see `GET /approvals`.',
    PublishedAt: 'Publication date that readers see. Null unless the article is `Published`.',
    UpdatedAt: '',
    CreatedAt: '',
    claimed: CLAIMED,
    external_ref: 'Your own id of the article. Null if it has none.',
    being_written: 'True while the writer is working on the article. Changes return 409 `already_being_written`.',
    keyword: KEYWORD,
    slug: 'Last part of the article’s URL: the slug you sent, otherwise made from the keyword.',
    title: '',
    status: '`Draft`: not published automatically. `Planned`: published on its date.',
    will_be_written: 'Present if the service’s writer will write the article unless you act.',
    'will_be_written.credits': 'Article credits that the writer will use.',
    'will_be_written.claim_by':
      'Time until which the article can certainly be claimed. Null if the writer may start at any moment.',
    'will_be_written.note': 'Advice on writing the article yourself, in one or two sentences.',
    will_be_rewritten:
      'Present if the saved content does not claim the article. The writer then uses the content as notes.',
    warnings: 'Problems such as a date in the past or missing content. Absent if there are none.',
    image_warning: 'Warning that the article has no feature image, and how to add one. Absent if it has one.',
    image_candidates:
      'URLs of images in the text that you can use as `feature_image`. Absent if it has a feature image.',
    sync_required: 'Always `false`: no saved change is waiting to be sent to the site.',
    next_calls: 'Call that plans the draft, if the draft has a date. Otherwise absent.',
    'next_calls[].body': 'Request body to send.',
    'next_calls[].why': 'Purpose of the call.',
    'next_calls[].method': '',
    'next_calls[].path': 'Path below `/api/v1`.',
    claim_note: 'Reason why the content you sent does not claim the article. Absent if it does.',
    seo: 'SEO check results for the article as saved. Null only if its project no longer exists.',
    Seo: 'SEO check results for the saved content. Null until content is saved or written.',
    score:
      'SEO score from 0 to 100: the weight of the passed checks among those that apply. At most 40 with an `error`. 0 without content.',
    passed: 'Checks that passed. A check that does not apply is in neither list.',
    failed: 'Checks that failed.',
    check: '',
    severity:
      '`error`: the score is at most 40, and text by the writer is not published on its date. `warning`: worth fixing. `notice`: a hint.',
    'failed[].message': 'Description of the problem, in one sentence.',
    fix: 'Advice on fixing it.',
    backlinks_processed: 'Links in the saved content that count in the backlink exchange, at most one per partner.',
    backlinks_warning:
      'Warning that no link counts, so no credit is earned. Absent if a link counts or there is no content.',
    backlinks_not_counted: 'First link to each partner that does not count. Absent if there are none.',
    'backlinks_not_counted[].url': 'URL that the link points to.',
    reason:
      '`no_credits`: the partner has no credits to pay with. `monthly_limit`: the partner reached its monthly link limit. `competitor`: one of the two projects lists the other as a competitor.',
    'backlinks_not_counted[].message': 'The reason in one sentence, and how to fix it.',
    hosted_images: 'URLs of images that you sent as `data:` and the service now hosts. Absent if there were none.',
    removed:
      'Content that was removed or changed to make the article safe, such as script elements, unclosed elements that were closed, and wrappers around the content. Absent if nothing was.',
    removed_note: 'Advice on `data:` images that were left out. Absent if none were.',
    updated_fields: 'Sent fields that were saved.',
    url: 'Public URL of the post. Null if the target has reported none.',
    delivery_id: 'ID of the delivery, as listed by `GET /webhook-deliveries`.',
    revision: 'Number of the version, the `:revision` in `GET /articles/:id/revisions/:revision`.',
    restored_from: 'Number of the version whose text was restored.',
    content_length: 'Number of characters in the HTML.',
    saved_at: 'Time when this version was saved.',
    current: 'True if this is the current version of the article.',
    meta_description: META_DESCRIPTION,
  },
  'articles.list': {
    ...SETUP,
    setup: 'Setup progress of the project. Present only if the list is empty because the project has no articles.',
    articles: 'Articles, newest first.',
    search_limited:
      'Present if only the newest 20,000 articles were searched, because `q` has no three letters or digits in a row.',
  },
  'articles.get': DETAIL,
  'articles.brief': {
    status: 'The same as `Status` of `GET /articles/:id`.',
    article_style: 'Type of article. It sets `targets.word_count`.',
    claim: 'Writer of the article: you or the service’s writer.',
    'claim.claimable': 'True if the article is planned and the writer has not started it.',
    'claim.claim_by':
      'Time until which the article can certainly be claimed, 72 hours before its date. Null if that time has passed, without a date, or if the plan has no writer.',
    'claim.note': 'Next step, in one or two sentences.',
    targets: 'Target length and number of links.',
    'targets.word_count': 'Number of words. Up to 25 % more or less passes. Less than half is an `error`.',
    'targets.internal_links': 'Number of links to other pages of the site.',
    required_links: 'Links that the text must have.',
    'required_links.exchange_partners':
      'Partners in the backlink exchange, at most two, chosen once. Each has a credit reserved for its link.',
    'required_links.internal':
      'Pages of the site that are related to the keyword. Fewer than `targets.internal_links` if few are related.',
    url: 'URL to link to.',
    anchor: 'Suggested link text.',
    'required_links.call_to_action_url': 'URL for the call to action. Null if `call_to_action_intensity` is `None`.',
    call_to_action_intensity: 'Strength of the article’s call to action.',
    images: '',
    'images.feature_image': 'Requirements for the feature image, in words.',
    'images.style': 'Image style, in the project’s own words. May be empty.',
    instructions: '',
    'instructions.project': 'Instructions for every article: `ai_instructions` of the project. May be empty.',
    'instructions.article': 'Instructions for this article. May be empty.',
    language: 'Language to write in, such as `English (US)`.',
    tone: 'Tone of the article.',
    writing_profile: 'Kind of author that the article should sound like.',
    product_positioning: 'Prominence of the product in the article.',
    first_person: 'True if the article uses “I” and “we”.',
    table_of_contents: 'True if the article has a table of contents.',
    avoid_formulaic_section_endings: 'True if sections should not end with a summary of themselves.',
    require_operational_examples: 'True if advice should have an example from practice.',
    business: 'Business that the article is written for.',
    'business.name': '',
    'business.website_url': '',
    'business.description': 'Description of the business and its customers.',
    'business.target_audience': 'Audience segments, one per entry.',
    'business.aliases': 'Other names of the business.',
    'business.primary_location': 'Location that the business serves. May be empty.',
    'business.topics': 'Topics that the site scan found. Empty without `brand_intelligence`.',
    meta_description: '',
    'meta_description.max_length': 'Maximum number of characters.',
    banned_phrases: 'Phrases that the article must not use.',
    strict_banned_phrase_guard: 'True if variants and translations of `banned_phrases` are also banned.',
    competitors: 'Domains that the article must not link to.',
    html_rules: 'Rules for the HTML, one per entry.',
  },
  'articles.create': {
    already_existed: 'True if an article of the project has the `external_ref`. Nothing was created or changed.',
    differs: 'Sent fields whose values are not those of the article.',
    article: 'The article that has the `external_ref`, as `GET /articles/:id` returns it.',
    ...Object.fromEntries(Object.entries(DETAIL).map(([name, words]) => [`article.${name}`, words])),
    claimed: `${CLAIMED} Absent for a draft, or if no content was sent.`,
  },
  'articles.update': CHANGED,
  'articles.restore': CHANGED,
  'articles.sync': {
    status: 'The target has the article as it is saved now.',
    warnings: DEVIATIONS,
  },
  'articles.revisions': { revisions: 'Versions, newest first, including the current one.' },
  'articles.revision': {
    content: 'HTML of the body.',
    feature_image: 'URL of the feature image. Empty if there is none. Null if the version did not record it.',
    alt_text: 'Alternative text of the feature image. Null if the version did not record it.',
  },
  'articles.delete': { deleted: '' },
  'articles.generate': {
    status: 'The writer is working on the article. See `Progress` of `GET /articles/:id`.',
    article_credits_remaining: 'Article credits left in the account after this one.',
  },
  'articles.publish': {
    ...SENT,
    delivery_id: 'ID of the delivery, as listed by `GET /webhook-deliveries`. Absent with `published`.',
  },
  'articles.unpublish': {
    status: 'Readers no longer see the article. It is a draft in this service.',
    warnings: DEVIATIONS,
  },
  'articles.detach': {
    status: 'The article is a draft without a post. The old post stays at the site.',
    slug: 'Slug for the next publication. At a CMS it is a new one, because the old post keeps its slug.',
    warnings: 'At a webhook: warning that the receiver may keep its post. Otherwise absent.',
  },
  'articles.address': {
    status: 'The URL is saved. The service checks its page in a moment (see `Receipt`).',
    warnings: 'Reason why the page does not show the article yet. Absent if it does.',
  },
  'articles.rollback': {
    status: 'The site shows the earlier version. The article saved in this service did not change.',
    version_id: 'ID of the restored version of the post.',
  },
  deliveries: {
    deliveries: 'Deliveries, newest first.',
    delivery: '',
    id: 'ID of the delivery, the `:id` in paths.',
    integration_id: 'ID of the target. `GET /integrations/:id` returns it while it is connected.',
    article_id: 'ID of the article, as listed by `GET /articles`. Null if it was deleted.',
    event_type: '`publish_articles`: first publication. `update_articles`: change of a post that the target has.',
    status:
      '`sending`: an attempt is in progress. `retrying`: another attempt follows. `unknown`: it may have arrived. `delivered`: the target has it. `failed`: ended without success. `superseded`: canceled; `error` has the reason.',
    idempotency_key: 'Key sent with every attempt. A replay has the same key; every edit has a new one.',
    revision: 'Number of the article version in this delivery.',
    replay_of: 'ID of the delivery that this one repeats. Null if it is not a replay.',
    resolved_by:
      'For a `failed` or `superseded` delivery: ID of the first later delivery with this content or newer. Otherwise null.',
    attempt_count: 'Number of attempts so far. A check whether the target has the post counts as an attempt.',
    attempts: 'Attempts in order, at most the first 100.',
    number: 'Number of the attempt, from 1.',
    'attempts[].status':
      '`sending`: in progress. `delivered`: the target accepted it. `retrying`: refused for now. `unknown`: it may have arrived. `failed`: refused permanently, canceled, or no retries left.',
    http_status: 'HTTP status of the response. Null if there was none.',
    duration_ms:
      'Response time of the target in milliseconds. Null while in progress, if interrupted, or if the attempt only checked whether the target has the post.',
    'attempts[].error': 'Reason why the attempt did not succeed. Null if it succeeded or is in progress.',
    response_excerpt: 'First 2,048 characters of a webhook’s response. Null without a response, and for a CMS.',
    started_at: '',
    next_attempt_at: 'Time of the next attempt or check. Null during an attempt, and after the last one.',
    error: 'Reason why the last attempt did not succeed, or why the delivery was canceled. Otherwise null.',
    warnings:
      'Differences between what was sent and what the target did in the last attempt, in sentences. Scheduled publications have them too.',
    payload: 'Article as sent, the same in every attempt.',
    'delivery.payload.id': 'ID of the article, as a string.',
    title: '',
    slug: 'Proposed last part of the URL.',
    url: 'URL of the post, if the target has reported one. Otherwise absent.',
    external_id: 'ID of the post at the target, if the target has reported one. Otherwise absent.',
    content_html: '',
    content_markdown: 'The same text as Markdown.',
    meta_description: META_DESCRIPTION,
    published_at: 'Date of the post. Absent for a draft.',
    'delivery.payload.created_at': 'Time when the article was created.',
    'delivery.payload.updated_at': 'Time of the last change of the article.',
    image_url: 'URL of the feature image. May be empty.',
    alt_text: 'Alternative text of the feature image. May be empty.',
    tags: '',
    category: 'May be empty.',
    author: 'Byline. Empty: the target’s default author.',
    seo_title: 'Title for search results. Absent if the article has none of its own.',
    canonical_url: 'URL where the text was first published. Absent if the article has none of its own.',
    'delivery.payload.status': '`Published`: visible to readers. `Draft`: not visible.',
  },
  'deliveries.replay': {
    ...SENT,
    replay_of: 'ID of the delivery that was replayed.',
    delivery_id: 'ID of the new delivery. Absent if the article was not published before the replay and now is.',
    url: 'Public URL of the post. Null if the target has reported none.',
  },
  integrations: {
    integration_id: INTEGRATION_ID,
    integrations: 'Connected integrations, newest first.',
    integration: '',
    ID: 'ID of the integration, the `:id` in paths.',
    Platform: 'Connected platform. `search_console` is not a publishing target.',
    IntegrationName: 'Display name of the integration.',
    Status: 'Always `Active`. Disconnected integrations are not listed.',
    ProjectID: 'ID of the project, as listed by `GET /projects`.',
    BusinessName: 'Name of the project’s business.',
    Url: 'Address of the site or receiver. For `search_console`: the property, empty until one is chosen.',
    LastUsedAt: 'Time of the last use, not counting tests. Null before the first use.',
    LastError: 'Error of the last use. Null if there was none.',
    CreatedAt: '',
    platform: '',
    name: 'Display name of the integration.',
    deleted: 'True: the integration is disconnected and its secrets are deleted.',
  },
  'integrations.catalog': {
    ...CONNECTABLE,
    integrations: 'All integrations that can be connected.',
  },
  'integrations.how_to_connect': {
    ...CONNECTABLE,
    steps: 'Steps to connect it, in order.',
  },
  'integrations.connect': {
    ...CONNECTED,
    signing_secret: 'Secret that signs deliveries to the webhook, returned only once. Absent for a CMS.',
  },
  'integrations.update': {
    signing_secret: 'New signing secret, returned only once. Absent without `rotate_signing_secret`.',
  },
  'integrations.test': {
    http_status: 'HTTP status of the response. Null if there was none.',
    duration_ms: 'Duration of the test in milliseconds.',
    response_excerpt: 'First 2,048 characters of a webhook’s response. Null without a response, and for a CMS.',
    status: '`ok`: the target accepted the test. `failed`: it did not.',
    error: 'Reason for the failure. Absent if the test succeeded.',
    warning: 'Problem to check before you publish. Absent if there is none.',
  },
  'projects.cms_site': {
    ...CONNECTED,
    integration_id: INTEGRATION_ID,
    cms_url: 'Saved URL of the WordPress site.',
  },
}
