import { fromBase64, hmacSha256, newSigningSecret } from './crypto.ts'

/** Secrets that sign webhooks: the current one and, until a time after its change, the previous one. */
export type SigningSecrets = {
  signing_secret?: string
  previous_signing_secret?: string
  previous_signs_until?: string
}

/** Time during which the previous signing secret also signs, ms: enough to install the new one. */
const BOTH_SIGN_MS = 24 * 3_600_000

/** Returns the secrets after a change: a new one, and the current one as the previous for a day. */
export const rotated = ({ signing_secret: before = '' }: SigningSecrets, now: Date) => ({
  signing_secret: newSigningSecret(),
  previous_signing_secret: before,
  previous_signs_until: new Date(now.getTime() + BOTH_SIGN_MS).toISOString(),
})

const signing = (secrets: SigningSecrets, now: Date): string[] => {
  const { signing_secret: current = '', previous_signing_secret: previous, previous_signs_until: until = '' } = secrets
  return previous !== undefined && Date.parse(until) > now.getTime() ? [current, previous] : [current]
}

/** Returns the headers of a message by Standard Webhooks: a signature per secret over `id.timestamp.body`. */
export const signatureHeaders = async (secrets: SigningSecrets, now: Date, id: string, body: string) => {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = signing(secrets, now).map(
    async (secret) => `v1,${await hmacSha256(fromBase64(secret.replace(/^whsec_/, '')), `${id}.${timestamp}.${body}`)}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  }
}
