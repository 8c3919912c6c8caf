import { owned } from '../../platform/accounts/check-owner.ts'
import type { Db } from '../../platform/db/client.ts'
import { fromBase64Url } from '../../platform/lib/crypto.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { RECEIPT_KEYS_PATH } from './path.ts'
import { publicKeys, signedReceiptOf } from './queries.ts'

/** Returns the payload of a compact JWS without checking it. */
const payloadOf = (jws: string): Record<string, unknown> =>
  JSON.parse(new TextDecoder().decode(fromBase64Url(jws.split('.')[1] ?? ''))) as Record<string, unknown>

type Found = Awaited<ReturnType<typeof signedReceiptOf>>[number]

const whyNone = ({ status, nextCheckAt }: Found, revision: number | undefined): string => {
  if (revision !== undefined) return 'This revision has no signed receipt. Leave out revision for the newest one.'
  if (status !== 'Published') return 'The article is not published, and no receipt of it was signed.'
  return nextCheckAt === null
    ? 'No receipt is signed yet. It is signed after the last check of the page, if this service has a key for it.'
    : 'The page does not show the article yet. The receipt is signed after the last check.'
}

/** Returns the newest signed receipt of an article, or that of a revision. Throws 404, 403. */
export const showSignedReceipt = async (ctx: Ctx, id: number, { revision }: { revision?: number | undefined }) => {
  const rows = await ctx.read((owner) => signedReceiptOf(ctx.db, owner, id, revision))
  const found = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article')
  const about = { article_id: id, keys: `${ctx.settings.publicUrl}${RECEIPT_KEYS_PATH}` }
  const { jws, signedAt } = found
  if (jws === null || signedAt === null)
    return { ...about, revision: null, signed_at: null, jws: null, statement: null, message: whyNone(found, revision) }
  return {
    ...about,
    revision: found.revision,
    signed_at: signedAt.toISOString(),
    jws,
    statement: payloadOf(jws),
    message: 'Anybody can check jws with the keys. statement is its content, for reading.',
  }
}

/** Returns the public keys as a JWK set (RFC 7517), the newest first. `until`: time at which a key ended. */
export const receiptKeySet = async (db: Db) => ({
  keys: (await publicKeys(db)).map(({ id, publicKey, createdAt, retiredAt }) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    x: publicKey,
    kid: id,
    alg: 'EdDSA',
    use: 'sig',
    from: createdAt.toISOString(),
    until: retiredAt?.toISOString() ?? null,
  })),
})
