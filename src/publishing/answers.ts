import * as z from 'zod/mini'
import { ATTEMPT_STATUSES, DELIVERY_STATUSES, EVENT_TYPES } from '../../schema/values/publishing.ts'
import { awaitingAnswer } from '../accounts/approvals/answers.ts'
import { savedArticle, savedContent } from '../content/articles/answers.ts'
import { copiesAnswer } from '../content/articles/article-answer.ts'
import {
  type AnswersOf,
  articleId,
  body,
  count,
  id,
  instant,
  means,
  message,
  page,
  projectId,
  selfExplanatory,
} from '../platform/http/answers.ts'
import type { editingOperations } from './live/operations.ts'
import type { publishingOperations } from './operations.ts'
import { signedReceiptAnswer } from './signed/answers.ts'

const DEVIATIONS =
  'Differences between what was sent and what the target did, and editors’ changes that were overwritten. Absent if there are none.'

const warnings = (sentence = DEVIATIONS) => ({ warnings: means(sentence, z.optional(z.array(z.string()))) })

const upstream = z.strictObject({
  name: means('`receiver` for a webhook, otherwise the platform.', z.string()),
  status: means('HTTP status of the response.', z.int()),
  message: means('Description of the problem, in one sentence.', z.string()),
})

const sent = {
  status: means(
    '`published`, `sent_as_draft`: the target has the article. `retrying`: the service sends it again automatically. `unknown`: it may have arrived; the service checks. `failed`: the service does not try again. `awaiting_approval`: it is sent automatically after a person approves it at `approve_url`. `awaiting_merge`: it is in a pull request and is published when somebody merges that.',
    z.enum(['published', 'sent_as_draft']),
  ),
  article_id: means('ID of the article, as listed by `GET /articles`. Null if it was deleted.', z.nullable(id())),
  delivery_id: means(
    'ID of the delivery, as listed by `GET /webhook-deliveries`. Absent if this call started none.',
    z.optional(id()),
  ),
  url: means('Public URL of the post. Null if the target has reported none.', z.nullable(z.string())),
  message: message(),
  ...warnings(),
}

const notSent = {
  status: means(
    '`published`, `sent_as_draft`: the target has the article. `retrying`: the service sends it again automatically. `unknown`: it may have arrived; the service checks. `failed`: the service does not try again. `awaiting_approval`: it is sent automatically after a person approves it at `approve_url`. `awaiting_merge`: it is in a pull request and is published when somebody merges that.',
    z.enum(['retrying', 'unknown', 'awaiting_merge', 'failed', 'held']),
  ),
  article_id: means('ID of the article, as listed by `GET /articles`. Null if it was deleted.', z.nullable(id())),
  delivery_id: means('ID of the delivery, as listed by `GET /webhook-deliveries`.', id()),
  error: means('Reason why the target does not have the article, or why that is unknown, in one sentence.', z.string()),
  message: message(),
  pull_request: means(
    'URL of the pull request. Absent for other statuses, and if the pull request is that of an earlier call.',
    z.optional(z.string()),
  ),
  next_attempt_at: means('Time of the next automatic attempt. Absent if none is scheduled.', z.optional(instant())),
  upstream: means('Response of the target. Absent if there was no HTTP status.', z.optional(upstream)),
  ...warnings(),
}

const attempt = z.strictObject({
  number: means('Number of the attempt, from 1.', count()),
  status: means(
    '`sending`: in progress. `delivered`: the target accepted it. `retrying`: refused for now. `unknown`: it may have arrived. `awaiting_merge`: it is in a pull request. `failed`: refused permanently, canceled, or no retries left.',
    z.enum(ATTEMPT_STATUSES),
  ),
  http_status: means('HTTP status of the response. Null if there was none.', z.nullable(z.int())),
  duration_ms: means(
    'Response time of the target in milliseconds. Null while in progress, if interrupted, or if the attempt only checked whether the target has the post.',
    z.nullable(count()),
  ),
  error: means(
    'Reason why the attempt did not succeed. Null if it succeeded or is in progress.',
    z.nullable(z.string()),
  ),
  response_excerpt: means(
    'First 2,048 characters of a webhook’s response. Null without a response, and for a CMS.',
    z.nullable(z.string()),
  ),
  started_at: selfExplanatory(instant()),
})

/** The article's payload as it was sent. */
const payload = z.strictObject({
  id: means('ID of the article, as a string.', z.string()),
  title: selfExplanatory(z.string()),
  slug: means('Proposed last part of the URL.', z.string()),
  url: means('URL of the post, if the target has reported one. Otherwise absent.', z.optional(z.string())),
  external_id: means(
    'ID of the post at the target, if the target has reported one. Otherwise absent.',
    z.optional(z.string()),
  ),
  content_html: selfExplanatory(z.string()),
  content_markdown: means('The same text as Markdown.', z.string()),
  meta_description: means('Text that search results show below the title.', z.string()),
  published_at: means('Date of the post. Absent for a draft.', z.optional(instant())),
  created_at: means('Time when the article was created.', instant()),
  updated_at: means('Time of the last change of the article.', instant()),
  image_url: means('URL of the feature image. May be empty.', z.string()),
  alt_text: means('Alternative text of the feature image. May be empty.', z.string()),
  tags: selfExplanatory(z.array(z.string())),
  category: means('May be empty.', z.string()),
  fields: means(
    'Values of fields that only the platform has. Absent if the article has none.',
    z.optional(z.record(z.string(), z.unknown())),
  ),
  author: means('Byline. Empty: the target’s default author.', z.string()),
  seo_title: means('Title for search results. Absent if the article has none of its own.', z.optional(z.string())),
  canonical_url: means(
    'URL where the text was first published. Absent if the article has none of its own.',
    z.optional(z.string()),
  ),
  status: means('`Published`: visible to readers. `Draft`: not visible.', z.enum(['Published', 'Draft'])),
})

const delivery = {
  id: means('ID of the delivery, the `:id` in paths.', id()),
  project_id: projectId(),
  integration_id: means(
    'ID of the target. `GET /integrations/:id` returns it while it is connected.',
    z.nullable(id()),
  ),
  article_id: means('ID of the article, as listed by `GET /articles`. Null if it was deleted.', z.nullable(id())),
  event_type: means(
    '`publish_articles`: first publication. `update_articles`: change of a post that the target has.',
    z.enum(EVENT_TYPES),
  ),
  status: means(
    '`sending`: an attempt is in progress. `retrying`: another attempt follows. `unknown`: it may have arrived. `awaiting_merge`: it is in a pull request; `error` has its URL. `delivered`: the target has it. `failed`: ended without success. `superseded`: canceled; `error` has the reason.',
    z.enum(DELIVERY_STATUSES),
  ),
  idempotency_key: means(
    'Key sent with every attempt. A replay has the same key; every edit has a new one.',
    z.string(),
  ),
  revision: means('Number of the article version in this delivery.', count()),
  replay_of: means('ID of the delivery that this one repeats. Null if it is not a replay.', z.nullable(id())),
  resolved_by: means(
    'For a `failed` or `superseded` delivery: ID of the first later delivery with this content or newer. Otherwise null.',
    z.nullable(id()),
  ),
  attempt_count: means(
    'Number of attempts so far. A check whether the target has the post counts as an attempt.',
    count(),
  ),
  attempts: means('Attempts in order, at most the first 100.', z.array(attempt)),
  next_attempt_at: means(
    'Time of the next attempt or check. Null during an attempt, and after the last one.',
    z.nullable(instant()),
  ),
  error: means(
    'Reason why the last attempt did not succeed, or why the delivery was canceled. Otherwise null.',
    z.nullable(z.string()),
  ),
  warnings: means(
    'Differences between what was sent and what the target did in the last attempt, in sentences. Scheduled publications have them too.',
    z.array(z.string()),
  ),
  created_at: selfExplanatory(instant()),
  updated_at: selfExplanatory(instant()),
}

const synced = {
  status: means('The target has the article as it is saved now.', z.literal('synced')),
  article_id: articleId(),
  url: means('Public URL of the post. Null if the target has reported none.', z.nullable(z.string())),
  delivery_id: means('ID of the delivery, as listed by `GET /webhook-deliveries`.', id()),
  revision: means('Number of the version, the `:revision` in `GET /articles/:id/revisions/:revision`.', count()),
  ...warnings(),
  ...savedContent,
}

/** Fields of an answer for a change of a published article that is in a pull request. */
const proposed = {
  status: means(
    'The change is in a pull request. Readers see it when somebody merges that.',
    z.literal('awaiting_merge'),
  ),
  pull_request: means('URL of the pull request.', z.string()),
  message: message(),
}

/** Answers of the publishing operations. */
export const publishingAnswers = {
  publish: { 200: body(sent), 202: z.union([body(notSent), body(awaitingAnswer)]) },
  unpublish: {
    200: body({
      status: means(
        '`unpublished`: readers no longer see the article. `withdrawn`: its pull request is closed, so it was never published. It is a draft in this service.',
        z.enum(['unpublished', 'withdrawn']),
      ),
      article_id: articleId(),
      message: message(),
      ...warnings(),
    }),
    202: z.union([body(awaitingAnswer), body({ ...proposed, article_id: articleId() })]),
  },
  copies: {
    200: body({
      article_id: articleId(),
      message: message(),
      copies: means('Copies of the article, as `Copies` of `GET /articles/:id`.', copiesAnswer),
    }),
  },
  detach: {
    200: body({
      status: means('The article is a draft without a post. The old post stays at the site.', z.literal('detached')),
      article_id: articleId(),
      slug: means(
        'Slug for the next publication. At a CMS it is a new one, because the old post keeps its slug.',
        z.string(),
      ),
      message: message(),
      ...warnings('At a webhook: warning that the receiver may keep its post. Otherwise absent.'),
    }),
  },
  address: {
    200: body({
      status: means(
        'The URL is saved. The service checks its page in a moment (see `Receipt`).',
        z.literal('address_stored'),
      ),
      article_id: articleId(),
      url: means('Public URL of the post. Null if the target has reported none.', z.string()),
      ...warnings('Reason why the page does not show the article yet. Absent if it does.'),
    }),
  },
  rollback: {
    200: body({
      status: means(
        'The site shows the earlier version. The article saved in this service did not change.',
        z.literal('rolled_back'),
      ),
      article_id: articleId(),
      version_id: means('ID of the restored version of the post.', id()),
      url: means('Public URL of the post. Null if the target has reported none.', z.nullable(z.string())),
      message: message(),
      ...warnings(),
    }),
    202: z.union([
      body(awaitingAnswer),
      body({
        ...proposed,
        article_id: articleId(),
        version_id: means('ID of the version of the post that merging restores.', id()),
      }),
    ]),
  },
  signedReceipt: { 200: signedReceiptAnswer },
  deliveries: { 200: page({ deliveries: means('Deliveries, newest first.', z.array(z.strictObject(delivery))) }) },
  delivery: {
    200: body({
      delivery: selfExplanatory(
        z.strictObject({
          ...delivery,
          payload: means(
            'Article as sent, the same in every attempt. After 90 days its text is that of the article’s revision; it is empty if the article was deleted.',
            payload,
          ),
          content_hash: means(
            'SHA-256 of `content_html` as it was sent, hex. It is kept when the text is not.',
            z.string(),
          ),
        }),
      ),
    }),
  },
  replay: {
    201: z.union([
      body({ replay_of: means('ID of the delivery that was replayed.', id()), ...sent }),
      body({ replay_of: means('ID of the delivery that was replayed.', id()), ...notSent }),
    ]),
    202: z.union([
      body(awaitingAnswer),
      body({ replay_of: means('ID of the delivery that was replayed.', id()), ...awaitingAnswer }),
    ]),
  },
} satisfies AnswersOf<typeof publishingOperations>

/** Answer for a change that waits for approval; its edits are saved. */
const waiting = {
  ...awaitingAnswer,
  revision: means('Number of the version, the `:revision` in `GET /articles/:id/revisions/:revision`.', count()),
  ...savedContent,
}

/** Answer for a change that is in a pull request; its edits are saved. */
const { status: _, url: __, ...saved } = synced
const inPullRequest = { ...proposed, ...saved }

/** Answers of the operations that change articles. */
export const editingAnswers = {
  update: {
    200: z.union([body(savedArticle), body(synced)]),
    202: z.union([body(waiting), body(inPullRequest)]),
  },
  restore: {
    200: z.union([
      body({
        ...savedArticle,
        revision: means('Number of the version, the `:revision` in `GET /articles/:id/revisions/:revision`.', count()),
        restored_from: means('Number of the version whose text was restored.', count()),
      }),
      body({ ...synced, restored_from: means('Number of the version whose text was restored.', count()) }),
    ]),
    202: z.union([
      body({ ...waiting, restored_from: means('Number of the version whose text was restored.', count()) }),
      body({ ...inPullRequest, restored_from: means('Number of the version whose text was restored.', count()) }),
    ]),
  },
  sync: { 200: body(synced), 202: z.union([body(waiting), body(inPullRequest)]) },
} satisfies AnswersOf<typeof editingOperations>
