import { base64, isHmacSha256 } from '../../platform/lib/crypto.ts'

/** Oldest age of a signature, and most a clock may be ahead, s. */
const WINDOW_S = 300

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** True if a webhook was signed with this secret in the last five minutes: `t=…,v1=…` over `t.body` (https://docs.stripe.com/webhooks#verify-manually). */
export const isSigned = async (secret: string, header: string, body: string, now: Date): Promise<boolean> => {
  const parts = header.split(',').map((part) => part.trim())
  const time = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2)
  if (time === undefined || Math.abs(now.getTime() / 1000 - Number(time)) > WINDOW_S) return false
  const key = Uint8Array.from(new TextEncoder().encode(secret))
  for (const part of parts.filter((one) => /^v1=[0-9a-f]{64}$/.test(one)).slice(0, 5))
    if (await isHmacSha256(key, `${time}.${body}`, base64(bytesOfHex(part.slice(3))))) return true
  return false
}
