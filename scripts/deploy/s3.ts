import { createHash, createHmac } from 'node:crypto'

/** Right to a bucket. */
export type Access = { region: string; keyId: string; secret: string }
/** Request to sign. `digest`: SHA-256 of its body, in hexadecimal. */
type Signed = { method: string; url: string; headers: Record<string, string>; digest: string }

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Returns a text as S3 encodes it in paths and queries. A slash is encoded too. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * Returns the headers of a request to S3 or a service with the same interface, signed with version 4
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, 2026-11-25).
 *
 * Path and query of the address must be encoded as S3 encodes them (`encoded`).
 */
export const signedHeaders = (
  { method, url, headers, digest }: Signed,
  { region, keyId, secret }: Access,
  now: Date,
): Record<string, string> => {
  const { host, pathname, search } = new URL(url)
  const query = search.slice(1).split('&').sort().join('&')
  const at = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const all: Record<string, string> = { ...headers, host, 'x-amz-content-sha256': digest, 'x-amz-date': at }
  const names = Object.keys(all).sort()
  const canonical = names.map((name) => `${name}:${all[name]?.trim()}\n`).join('')
  const request = [method, pathname, query, canonical, names.join(';'), digest].join('\n')
  const day = at.slice(0, 8)
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${at}\n${scope}\n${sha256(request)}`).toString('hex')
  const { host: _, ...sent } = all
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}
