import { CompactSign } from 'jose/jws/compact/sign'
import type { KeyRing } from '../../platform/lib/crypto.ts'
import { keysOf } from '../../platform/lib/signing-key.ts'

/** Algorithm of the signatures: Ed25519 (RFC 8037, section 3.1). */
const ALG = 'EdDSA'

/** Media type of a signed receipt. It keeps a signature from being read as one of anything else. */
const TYP = 'galley-receipt+jws'

/** Public part of a key: its thumbprint, and `x` of its JWK. */
export type PublicKey = { id: string; publicKey: string }

/** Signs receipts: `keys` has the public parts of all keys of the settings, and the first one signs. */
export type ReceiptSigner = () => Promise<{ keys: readonly PublicKey[]; sign: (statement: object) => Promise<string> }>

/** Returns the signer of a ring of keys, which opens them at its first use; undefined without a key. */
export const receiptSigner = (ring: KeyRing): ReceiptSigner | undefined => {
  if (ring.length === 0) return undefined
  const open = keysOf(ring)
  return async () => {
    const keys = await open()
    const [first] = keys
    if (!first) throw new Error('no key of receipts')
    const header = { alg: ALG, kid: first.id, typ: TYP }
    return {
      keys: keys.map(({ id, publicKey }) => ({ id, publicKey })),
      sign: (statement: object) =>
        new CompactSign(new TextEncoder().encode(JSON.stringify(statement))).setProtectedHeader(header).sign(first.key),
    }
  }
}
