import { SignJWT } from 'jose/jwt/sign'

const LIFETIME_S = 240
/** Ghost refuses tokens from the future: the site's clock may be behind ours by this much. */
const SKEW_S = 30

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** Makes tokens of an Admin API key (`id:secret`, hexadecimal) as Ghost's Admin API takes them: HS256, five minutes at most. */
export const tokenMaker = (adminKey: string): ((now: Date) => Promise<string>) => {
  const [kid = '', secret = ''] = adminKey.split(':')
  return async (now) => {
    const issuedAt = Math.floor(now.getTime() / 1_000) - SKEW_S
    return await new SignJWT()
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_S)
      .setAudience('/admin/')
      .sign(bytesOf(secret))
  }
}
