import { createHmac } from 'node:crypto'

/** The real Ghost that scripts/cms/ghost.sh started. */
export const realGhost = (): { url: string; key: string } => {
  const { GHOST_URL: url = '', GHOST_ADMIN_API_KEY: key = '' } = process.env
  return { url, key }
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns a token as Ghost takes it from an editor's tool. */
const tokenOf = (key: string): string => {
  const [kid = '', secret = ''] = key.split(':')
  const iat = Math.floor(Date.now() / 1_000)
  const signed = `${base64({ alg: 'HS256', typ: 'JWT', kid })}.${base64({ iat, exp: iat + 240, aud: '/admin/' })}`
  return `${signed}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64url')}`
}

/** Asks Ghost as an editor's tool does; the rows of its answer. */
export const askGhost = async <T>(
  kind: 'posts' | 'pages',
  path: string,
  method = 'GET',
  row?: object,
): Promise<T[]> => {
  const { url, key } = realGhost()
  const response = await fetch(`${url}/ghost/api/admin/${kind}/${path}`, {
    method,
    headers: { authorization: `Ghost ${tokenOf(key)}`, 'content-type': 'application/json', 'accept-version': 'v5.0' },
    ...(row ? { body: JSON.stringify({ [kind]: [row] }) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text === '' ? [] : ((JSON.parse(text) as Record<string, T[]>)[kind] ?? [])
}
