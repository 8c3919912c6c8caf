import { and, isNull, notInArray, type SQL, sql } from 'drizzle-orm'
import { receiptKeys, signedReceipts } from '../../../schema/receipts.ts'
import type { Statement } from '../../platform/db/steps.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { PublicKey, ReceiptSigner } from './keys.ts'
import { sentFacts } from './queries.ts'
import { type Shown, statementOf } from './statement.ts'

/** Returns the statements that publish the keys of the settings, and retire those that are no longer there. */
const publishKeys = ({ db, now }: Ctx, keys: readonly PublicKey[], condition: SQL): Statement[] => [
  ...keys.map(({ id, publicKey }) =>
    insertWhere(
      receiptKeys,
      { id, publicKey, createdAt: now() },
      {
        if: condition,
        onConflict: sql`(id) do update set retired_at = null where ${receiptKeys}.retired_at is not null`,
      },
    ),
  ),
  db
    .update(receiptKeys)
    .set({ retiredAt: now() })
    .where(
      and(
        notInArray(
          receiptKeys.id,
          keys.map(({ id }) => id),
        ),
        isNull(receiptKeys.retiredAt),
        condition,
      ),
    ),
]

/**
 * Signs a final receipt, and returns the statements that store it with its key. Without a signer nothing is stored.
 *
 * `if`: the condition under which the receipt itself is stored, so that each check is signed once.
 */
export const signReceipt = async (
  ctx: Ctx,
  signer: ReceiptSigner | undefined,
  shown: Shown,
): Promise<(condition: SQL) => Statement[]> => {
  if (!signer) return () => []
  const [facts, { keys, sign }] = await Promise.all([
    ctx.read(() => sentFacts(ctx.db, shown.articleId, shown.revision)),
    signer(),
  ])
  const now = ctx.now()
  const jws = await sign(await statementOf(shown, facts.rows[0], { issuer: ctx.settings.publicUrl, now }))
  const { articleId, revision } = shown
  const ofArticle = (column: string) => sql`(select ${sql.raw(column)} from articles where id = ${articleId}::int)`
  return (condition) => [
    ...publishKeys(ctx, keys, condition),
    insertWhere(
      signedReceipts,
      {
        accountId: ofArticle('account_id'),
        projectId: ofArticle('project_id'),
        articleId,
        revision,
        jws,
        signedAt: now,
      },
      { if: condition },
    ),
  ]
}
