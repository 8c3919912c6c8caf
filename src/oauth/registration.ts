import { hmacSha256, type KeyRing } from '../lib/crypto.ts'
import { OAUTH } from './paths.ts'

/** What lets an application read its own registration again (RFC 7592): made from its id, so that nothing is kept. */
const accessTokenFor = async ([newest]: KeyRing, clientId: string): Promise<string> => {
  if (!newest) throw new Error('no sealing key')
  return await hmacSha256(newest.key, `registration:${clientId}`)
}

/** The answer to a registration with where it can be read again. */
export const withManagement = async (ring: KeyRing, publicUrl: string, answer: Response): Promise<Response> => {
  if (answer.status !== 201) return answer
  const body = (await answer.json()) as { client_id: string }
  const client = {
    ...body,
    registration_client_uri: `${publicUrl}${OAUTH.register}/${body.client_id}`,
    registration_access_token: await accessTokenFor(ring, body.client_id),
  }
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  return new Response(JSON.stringify(client), { status: 201, headers })
}

/** Whether a caller may read a registration: with a token of any of the sealing keys. Both sides are hashed before they are compared. */
export const mayManage = async (
  ring: KeyRing,
  clientId: string,
  authorization: string | undefined,
): Promise<boolean> => {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const isOf = async (one: KeyRing[number]): Promise<boolean> => {
    const [a, b] = [await hmacSha256(one.key, given), await hmacSha256(one.key, await accessTokenFor([one], clientId))]
    return a === b
  }
  return (await Promise.all(ring.map(isOf))).includes(true)
}
