import { SETUP } from './projects.ts'
import type { AnswerWords } from './word.ts'

type Words = AnswerWords[string]

const CLAIMED = 'it goes out as you saved it, and the writer leaves it alone'

/** Words for answers to a save, with or without a request to a target. */
const CHANGED: Words = {
  status:
    '`Draft` and `Planned` are saved here alone; `synced`: the target has it, too; `awaiting_approval`: it is saved, and sent once a person approves it',
  slug: 'its new slug; absent where it did not change',
  claimed: `${CLAIMED}; absent for a draft, and where this call did not decide it`,
  warnings:
    'what a date in the past or missing content brings, with `synced` what the target did in another way than asked; absent without',
}

/** Words for the outcome of sending an article. */
const SENT: Words = {
  status:
    '`published`, `sent_as_draft`: the target has it; `retrying`: sent again by itself; `unknown`: it may have arrived, the service finds out; `failed`: nothing more happens by itself; `awaiting_approval`: it goes out by itself once a person approves it at `approve_url`',
  warnings:
    'what the target did in another way than asked, and words of editors that were replaced; absent where nothing',
  error: 'why the target does not have it, or why that is not known, in one sentence',
  expires_at: 'until when a person can approve it',
  next_attempt_at: 'when the service takes it up again by itself; absent where it has no time for that',
  upstream: 'what the target answered; absent where it gave no HTTP status',
  'upstream.name': '`receiver` for a webhook, else the platform',
  'upstream.status': 'its HTTP status',
  'upstream.message': 'what is wrong, in one sentence',
}

/** Kind of connection that a project can have, with its existing connections. */
const CONNECTABLE: Words = {
  key: 'what `GET /integrations/connect` and the calls that connect it take',
  name: 'its name for people',
  category: 'what kind it is',
  connected: 'one or more accounts of it are connected to the project; keys of keyword data hold for the whole account',
  accounts: 'what is connected of it',
  account_id:
    'of a publishing target or Search Console the `:id` of `GET /integrations/:id`; else as `GET /social/accounts` lists it, or the provider of the key',
  account_name: 'what people call it',
  connect_url: 'our page where a person connects it, after signing in',
  note: 'what could not be looked up; absent where nothing',
}

/** Target that was connected to a project. */
const CONNECTED: Words = {
  status: 'articles of the project are published there from now on',
  replaced: 'the target the project had before, which is disconnected now; absent where it had none',
  'replaced.integration_id': 'its id, which deliveries that were made for it still name',
  'replaced.platform': '',
  'replaced.name': 'what lists called it',
  'replaced.url': 'its address',
  warning: 'what to look at before you publish, such as a site that could not be tried; absent where nothing',
}

const INTEGRATION_ID = 'the integration, as `GET /integrations` lists it'

export const ARTICLE_ANSWERS: AnswerWords = {
  articles: {
    Approval:
      'the question to a person whether it, or its change, may go out; null without one, after it let the article out, and where the text changed since',
    'Approval.id': 'the `:id` of `GET /approvals/:id`',
    'Approval.status':
      '`awaiting`: nobody decided yet; `approved`: goes out now or on its date; `returned`: `comment` says what to change; `expired`: nobody decided in time',
    'Approval.approve_url': 'the page on which a person decides',
    'Approval.comment': 'what the person said; null if nothing',
    ID: 'the `:id` of the calls for this article',
    Title: '',
    MainKeyword: 'what people search for who should find it',
    Status:
      '`Draft` goes nowhere by itself; `Planned` goes out on its date; `Generating`: the writer is at work; `Published`: the target has it',
    ScheduledDate: 'when it goes out, as wall time in the project’s zone; null without a date',
    ScheduledAt: 'the same instant in UTC',
    ProjectID: 'the project, as `GET /projects` lists it',
    Slug: 'the last part of its address',
    ArticleStyle: 'the kind of article; it decides how long the brief asks for',
    Url: 'address of its post at the target; null before the target told one',
    PublishState:
      '`idle`: nothing under way; `publishing`: being sent; `retrying`: sent again by itself; `unknown`: it may have arrived; `failed`: nothing more happens by itself, `PublishError` says why; `awaiting_approval`: a person has to approve it, `GET /approvals` shows it',
    PublishedAt: 'the date readers see on it; null while it is not `Published`',
    UpdatedAt: '',
    CreatedAt: '',
    claimed: CLAIMED,
    being_written: 'the writer is at work: changes are 409 `already_being_written`',
    keyword: 'what people search for who should find it',
    slug: 'the last part of its address: the one sent, else made from the keyword',
    title: '',
    status: '`Draft` goes nowhere by itself; `Planned` goes out on its date',
    will_be_written: 'that the service’s writer takes it if nothing else is done; else absent',
    'will_be_written.credits': 'article credits that takes',
    'will_be_written.claim_by':
      'until when it can certainly be claimed; null where the writer may take it at any moment',
    'will_be_written.note': 'what to do to write it yourself, in a sentence or two',
    will_be_rewritten: 'the saved content does not claim it, so the writer takes it as notes; else absent',
    warnings: 'what a date in the past or missing content brings; absent where there is nothing to say',
    image_warning: 'that it has no feature image, and what helps; absent where it has one',
    image_candidates: 'absolute addresses of images in the text, for `feature_image`; absent where it has one',
    sync_required: '`false`: nothing that was saved waits to be sent to the site',
    next_calls: 'the call that plans a draft with a date; else absent',
    'next_calls[].body': 'what to send',
    'next_calls[].why': 'what it does',
    'next_calls[].method': '',
    'next_calls[].path': 'below `/api/v1`',
    claim_note: 'why the content you sent does not claim it; else absent',
    seo: 'how the article fares in the SEO checks as it is saved now; null only where its project is gone',
    Seo: 'how the saved content fares in the SEO checks; null before any was saved or written',
    score: '0 to 100: the weight of passed checks in those that apply; at most 40 with an `error`, 0 without content',
    passed: 'checks it passed; one that does not apply stands in neither list',
    failed: 'checks it failed',
    check: '',
    severity:
      '`error`: the score is at most 40, and the writer’s text does not go out on its date; `warning`: worth fixing; `notice`: a hint',
    'failed[].message': 'what is wrong, in one sentence',
    fix: 'what to do about it',
    backlinks_processed: 'links of the saved content that count in the backlink exchange, at most one a partner',
    backlinks_warning: 'that no link counts, so no credit is earned; absent where one does or there is no content',
    backlinks_not_counted: 'the first link to each partner that counts for nobody; absent where there is none',
    'backlinks_not_counted[].url': 'where the link leads',
    reason:
      '`no_credits`: the partner cannot pay; `monthly_limit`: its plan takes no more links this month; `competitor`: one of the two projects names the other as such',
    'backlinks_not_counted[].message': 'the reason in a sentence, with what helps',
    hosted_images: 'where pictures sent as `data:` are served now; absent where there were none',
    removed:
      'what was taken out of the content or changed to make it safe, such as script elements, what was left open and closed, and what was taken off around it; absent if nothing was',
    removed_note: 'what to do about `data:` images that were left out; absent where none were',
    updated_fields: 'the sent fields that were saved',
    url: 'public address of the post; null where the target told none',
    delivery_id: 'the delivery, as `GET /webhook-deliveries` lists it',
    revision: 'number of the version: `:revision` in `GET /articles/:id/revisions/:revision`',
    restored_from: 'number of the version whose words are the newest now',
    content_length: 'characters of its HTML',
    saved_at: 'when this version was saved',
    current: 'the article says this now',
    meta_description: 'what search results show below the title',
  },
  'articles.list': {
    ...SETUP,
    setup: 'how far the project is set up; only beside the empty list of a project without articles',
    articles: 'newest first',
    search_limited:
      '`q` has no three letters or digits in a row, so only the newest 20,000 articles were looked at; else absent',
  },
  'articles.get': {
    Content: 'HTML of the body, made safe',
    MetaDescription: 'what search results show below the title',
    FeatureImage: 'address of the picture at its head; empty without one',
    AltText: 'what the feature image shows, for those who do not see it',
    Category: 'one category of the blog; may be empty',
    Tags: '',
    SeoTitle: 'a title for search results, where it differs; else empty',
    CanonicalUrl: 'where the text first stood; empty: its own address',
    Instructions: 'instructions to the writer for this article; may be empty',
    Author: 'the byline: `custom_author_name` of the project; empty: the target’s own',
    Claimed: 'the same as `claimed`',
    PublishError: 'why it is `retrying`, `unknown` or `failed`, in one sentence; null where publishing went well',
    GenerationError:
      'why the writer’s last try failed, or its text does not go out on its date; null where neither, and once `Published`',
    Progress: 'how far the writer is; null while it is not at work',
    'Progress.step': 'steps done: the plan, then each part of the text',
    'Progress.of': 'steps in all, the last one the check; 3 while they are not planned yet',
    'Progress.percent': '0 to 99',
    'Progress.label': 'what the writer does now, for people to read',
    Receipt:
      'what the live page showed some seconds after it was published or rolled back; null before that and for drafts',
    'Receipt.checked_at': '',
    'Receipt.http_status': 'null where the page did not answer; then nothing below was looked at',
    'Receipt.text_found':
      'the page shows the longest sentence of the text; absent where the text has none that would be telling',
    'Receipt.title_found': 'the article’s title stands in the title of the page or in one of its h1 and h2',
    'Receipt.canonical': 'address in the page’s canonical link; null without one',
    'Receipt.indexable': 'the page answers 200, and neither it nor its headers say `noindex`',
    'Receipt.images_ok': 'the page has every image of the saved content, at the same address',
    'Receipt.links_ok': 'the page has every link of the saved content',
    'Receipt.error': 'why the page could not be looked at; else absent',
    Revision: 'number of the version it has now: every change that readers could notice counts it up',
  },
  'articles.brief': {
    status: 'as `Status` of `GET /articles/:id`',
    article_style: 'the kind of article; it decides `targets.word_count`',
    claim: 'whether you or the service’s writer writes it',
    'claim.claimable': 'it is planned, and the writer has not taken it',
    'claim.claim_by':
      'until when it can certainly be claimed, 72 hours before its date; null once past, without a date, or without a writer in the plan',
    'claim.note': 'what to do now, in a sentence or two',
    targets: 'how much of it there should be',
    'targets.word_count': 'words; a quarter more or less passes, less than half is an `error`',
    'targets.internal_links': 'links to other pages of the site',
    required_links: 'links the text has to have',
    'required_links.exchange_partners':
      'partners of the backlink exchange, at most two, chosen once; each has a credit reserved for its link',
    'required_links.internal': 'pages of the site near the keyword; fewer than `targets.internal_links` where few fit',
    url: 'the page to link to',
    anchor: 'words that may carry the link',
    'required_links.call_to_action_url': 'where the call to action leads; null with the intensity `None`',
    call_to_action_intensity: 'how much the article asks its reader to act',
    images: '',
    'images.feature_image': 'what the feature image has to be, in words',
    'images.style': 'how pictures look, in the project’s own words; may be empty',
    instructions: '',
    'instructions.project': '`ai_instructions` of the project, for every article; may be empty',
    'instructions.article': 'for this article; may be empty',
    language: 'the language to write in, such as `English (US)`',
    tone: 'how it sounds',
    writing_profile: 'who seems to be writing',
    product_positioning: 'how much the product is spoken of',
    first_person: 'it says “I” and “we”',
    table_of_contents: 'it has a table of contents',
    avoid_formulaic_section_endings: 'sections do not end with a summary of themselves',
    require_operational_examples: 'advice comes with an example from practice',
    business: 'for whom it is written',
    'business.name': '',
    'business.website_url': '',
    'business.description': 'what the business does, for whom',
    'business.target_audience': 'who reads, one segment each',
    'business.aliases': 'other names the business goes by',
    'business.primary_location': 'the place the business serves; may be empty',
    'business.topics': 'what the scan of its site found it to be about; empty without `brand_intelligence`',
    meta_description: '',
    'meta_description.max_length': 'characters',
    banned_phrases: 'phrases that may not stand in it',
    strict_banned_phrase_guard: 'variants and translations of `banned_phrases` are kept out, too',
    competitors: 'domains never to link to',
    html_rules: 'how its HTML has to look, one rule each',
  },
  'articles.create': {
    claimed: `${CLAIMED}; absent where no content was sent or it is a draft`,
  },
  'articles.update': CHANGED,
  'articles.restore': CHANGED,
  'articles.sync': {
    status: 'the target has the article as it is saved now',
    warnings:
      'what the target did in another way than asked, and words of editors that were replaced; absent where nothing',
  },
  'articles.revisions': { revisions: 'newest first, the present version included' },
  'articles.revision': {
    content: 'HTML of the body',
    feature_image: 'address of the picture at its head; empty without one, null where the version did not keep it',
    alt_text: 'what the feature image shows; null where the version did not keep it',
  },
  'articles.delete': { deleted: '' },
  'articles.generate': {
    status: 'the writer is at work; `Progress` of `GET /articles/:id` says how far it is',
    article_credits_remaining: 'article credits the account has left, this one taken off',
  },
  'articles.publish': {
    ...SENT,
    delivery_id: 'the delivery, as `GET /webhook-deliveries` lists it; absent with `published`',
  },
  'articles.unpublish': {
    status: 'readers do not see it any more, and it is a draft here',
    warnings:
      'what the target did in another way than asked, and words of editors that were replaced; absent where nothing',
  },
  'articles.detach': {
    status: 'the article is a draft that knows nothing of its post, which stays at the site',
    slug: 'the slug of the next publication; at a CMS another one, because the old post keeps its own',
    warnings: 'at a webhook, that the receiver may keep its post; absent elsewhere',
  },
  'articles.address': {
    status: 'the address is stored, and its page is looked at in a moment (`Receipt`)',
    warnings: 'why the page does not show the article yet; absent where it does',
  },
  'articles.rollback': {
    status: 'the site shows the earlier version; the article saved here did not change',
    version_id: 'the kept version of the post that was put back',
  },
  deliveries: {
    deliveries: 'newest first',
    delivery: '',
    id: 'the `:id` of the calls for this delivery',
    integration_id: 'the target it was made for; `GET /integrations/:id` shows it while it is connected',
    article_id: 'the article, as `GET /articles` lists it; null once it is deleted',
    event_type: '`publish_articles`: a first publication; `update_articles`: a change of a post the target has',
    status:
      '`sending`: an attempt is under way; `retrying`: tried again; `unknown`: it may have arrived; `delivered`: the target has it; `failed`: ended without; `superseded`: called off, `error` says why',
    idempotency_key: 'comes with every attempt; a replay has the same, every edit another',
    revision: 'number of the article’s version that it carries',
    replay_of: 'the delivery it repeats; null where it is no replay',
    resolved_by:
      'of a `failed` or `superseded` one the first later delivery that brought this content or newer; else null',
    attempt_count: 'attempts so far; asking the target whether it has the post counts as one',
    attempts: 'in their order, at most the first 100',
    number: 'from 1',
    'attempts[].status':
      '`sending`: under way; `delivered`: the target took it; `retrying`: refused for now; `unknown`: it may have arrived; `failed`: refused for good, called off, or retries used up',
    http_status: 'null where none came back',
    duration_ms:
      'milliseconds the target took; null while under way, interrupted, or only asked whether it has the post',
    'attempts[].error': 'why it did not succeed; null where it did or is under way',
    response_excerpt: 'the first 2,048 characters of a webhook’s answer; null without one, and for a CMS',
    started_at: '',
    next_attempt_at: 'when it is tried or asked about again; null while an attempt is under way, and at its end',
    error: 'why the last attempt did not succeed, or why it was called off; null where neither',
    warnings:
      'what the target did in another way than asked in the last attempt, in sentences; also of what the clock published',
    payload: 'the article as it is sent, the same in every attempt',
    'delivery.payload.id': 'the article’s id, as text',
    title: '',
    slug: 'the proposed last part of the address',
    url: 'address of the post, as the target told it before; absent where it did not',
    external_id: 'the target’s own id of the post, as it told it before; absent where it did not',
    content_html: '',
    content_markdown: 'the same text as Markdown',
    meta_description: 'what search results show below the title',
    published_at: 'the post’s date; absent for a draft',
    'delivery.payload.created_at': 'when the article was made',
    'delivery.payload.updated_at': 'when the article was last changed',
    image_url: 'address of the feature image; may be empty',
    alt_text: 'what the feature image shows; may be empty',
    tags: '',
    category: 'may be empty',
    author: 'the byline; empty: the target’s own',
    seo_title: 'a title for search results; absent where the article has none of its own',
    canonical_url: 'where the text first stood; absent where the article has none of its own',
    'delivery.payload.status': '`Published` is to be seen by readers, `Draft` is not',
  },
  'deliveries.replay': {
    ...SENT,
    replay_of: 'the delivery that was replayed',
    delivery_id: 'the new delivery; absent where the article was not published and is now',
    url: 'public address of the post; null where the target told none',
  },
  integrations: {
    integration_id: INTEGRATION_ID,
    integrations: 'the connected ones, newest first',
    integration: '',
    ID: 'the `:id` of the calls for this integration',
    Platform: 'what is connected; `search_console` is not published to',
    IntegrationName: 'what lists call it',
    Status: '`Active`; a disconnected one is not shown',
    ProjectID: 'the project, as `GET /projects` lists it',
    BusinessName: 'the name of the project’s business',
    Url: 'address of the site or receiver; of `search_console` the property, empty until one is chosen',
    LastUsedAt: 'when it was last used; a test does not count. null before',
    LastError: 'what went wrong in the last use; null where nothing did',
    CreatedAt: '',
    platform: '',
    name: 'what lists call it',
    deleted: 'it is disconnected, and its secrets are deleted',
  },
  'integrations.catalog': {
    ...CONNECTABLE,
    integrations: 'everything that can be connected',
  },
  'integrations.how_to_connect': {
    ...CONNECTABLE,
    steps: 'what to do, in order',
  },
  'integrations.connect': {
    ...CONNECTED,
    signing_secret: 'what deliveries to the webhook are signed with, shown only now; absent for a CMS',
  },
  'integrations.update': {
    signing_secret: 'the new signing secret, shown only now; absent without `rotate_signing_secret`',
  },
  'integrations.test': {
    http_status: 'null where none came back',
    duration_ms: 'milliseconds the test took',
    response_excerpt: 'the first 2,048 characters of a webhook’s answer; null without one, and for a CMS',
    status: '`ok`: the target took the test; `failed`: it did not',
    error: 'why it failed; else absent',
    warning: 'what to look at before you publish; absent where nothing',
  },
  'projects.cms_site': {
    ...CONNECTED,
    integration_id: INTEGRATION_ID,
    cms_url: 'address of the WordPress site, as it was saved',
  },
}
