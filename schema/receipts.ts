import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, instant } from './columns.ts'
import { accountId, projectId } from './owners.ts'

/** Public keys of signed receipts. A key stays for ever, since receipts that it signed are checked with it. */
export const receiptKeys = pgTable('receipt_keys', {
  /** Thumbprint of the key (RFC 7638), which is the `kid` of its signatures. */
  id: text('id').primaryKey(),
  /** Public part, base64url, as `x` of a JWK. */
  publicKey: text('public_key').notNull(),
  createdAt: createdAt(),
  /** Time at which it was no longer in the settings; null: it may sign. */
  retiredAt: instant('retired_at'),
})

/** Final receipts of articles, each as a JWS that anybody can check. */
export const signedReceipts = pgTable(
  'signed_receipts',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    articleId: integer('article_id')
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    revision: integer('revision').notNull(),
    /** Compact JWS (RFC 7515, section 3.1). */
    jws: text('jws').notNull(),
    signedAt: instant('signed_at').notNull(),
  },
  (t) => [
    index('signed_receipts_account').on(t.accountId),
    index('signed_receipts_project').on(t.projectId),
    index('signed_receipts_article').on(t.articleId, t.id),
  ],
)
