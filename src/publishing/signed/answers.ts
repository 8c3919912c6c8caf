import * as z from 'zod/mini'
import { EVENT_TYPES, PUBLISHING_PLATFORMS } from '../../../schema/values/publishing.ts'
import { articleId, body, count, id, instant, means, message, selfExplanatory } from '../../platform/http/answers.ts'

const delivery = z.strictObject({
  id: means('ID of the delivery, as listed by `GET /webhook-deliveries`.', id()),
  key: means('Idempotency key that every attempt had.', z.string()),
  event: means('`publish_articles`: first publication. `update_articles`: change of a post.', z.enum(EVENT_TYPES)),
  target: means('Platform of the target.', z.enum(PUBLISHING_PLATFORMS)),
  began_at: selfExplanatory(instant()),
  attempts: means('Number of attempts.', count()),
  accepted_times: means(
    'Number of deliveries with this key that the target accepted: 1, unless somebody replayed it.',
    count(),
  ),
})

const seen = z.looseObject({
  checked_at: means('Time of the last check of the page. The other fields are those of `Receipt`.', instant()),
  http_status: means('HTTP status of the page. Null if it did not respond.', z.nullable(z.int())),
})

/** Payload of a signed receipt. */
const statement = z.strictObject({
  v: means('Version of this form.', z.literal(1)),
  iss: means('Address of the service that signed it.', z.string()),
  iat: means('Time of the signature, in seconds since 1970.', z.int()),
  article_id: articleId(),
  revision: means('Revision that the page shows; if it shows none, the one that was sent last.', count()),
  title: selfExplanatory(z.string()),
  content_sha256: means('SHA-256 of the HTML that was sent, in hex: `content_hash` of the delivery.', z.string()),
  url: means('Address of the page.', z.string()),
  delivery: means(
    'Delivery of this text. Null if none is known, as for a post that was adopted.',
    z.nullable(delivery),
  ),
  policy: means(
    'Policy in force when the delivery began. Null: the project had none.',
    z.nullable(
      z.strictObject({
        version: means('Number of the policy’s version.', count()),
        needs_approval: means('Publications that needed an approval.', z.enum(['off', 'first', 'every'])),
      }),
    ),
  ),
  approval: means(
    'Approval of exactly this revision. Null if nobody was asked.',
    z.nullable(
      z.strictObject({
        id: means('ID of the approval, as listed by `GET /approvals`.', id()),
        content_hash: means('Hash of content and target that the person approved.', z.string()),
        decided_at: selfExplanatory(z.nullable(instant())),
        decided_by: means('Opaque ID of the person; `review_link`: somebody with the link.', z.string()),
      }),
    ),
  ),
  shown: means('True if the page showed the article as it was sent last.', z.boolean()),
  seen: means('Page as readers saw it.', seen),
})

/** Answer of `GET /articles/:id/receipt.json`. */
export const signedReceiptAnswer = body({
  article_id: articleId(),
  keys: means('Address of the public keys. Check that its host is the service that you trust.', z.string()),
  revision: means('Revision of the receipt. Null if there is none.', z.nullable(count())),
  signed_at: means('Time of the signature. Null if there is none.', z.nullable(instant())),
  jws: means(
    'The receipt as a compact JWS (RFC 7515), signed with Ed25519. Null if there is none; `message` says why.',
    z.nullable(z.string()),
  ),
  statement: means('Content of `jws`, decoded for reading. Only `jws` proves it.', z.nullable(statement)),
  message: message(),
})
