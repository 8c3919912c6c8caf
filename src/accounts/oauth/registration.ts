import { hmacSha256, type KeyRing } from '../../platform/lib/crypto.ts'
import { clientName } from './client-name.ts'
import { OAUTH } from './paths.ts'
import { isUnsafeRedirect } from './redirects.ts'
import type { OAuth } from './server.ts'

/** Returns the token with which an application reads its registration (RFC 7592). It is made from its id, so that nothing is kept. */
const accessTokenFor = async ([newest]: KeyRing, clientId: string): Promise<string> => {
  if (!newest) throw new Error('no sealing key')
  return await hmacSha256(newest.key, `registration:${clientId}`)
}

/** A registration as it was sent, with the names it gives as they are kept. What is no JSON object stays as it is. */
export const withPlainNames = (sent: string): string => {
  let given: unknown
  try {
    given = JSON.parse(sent)
  } catch {
    return sent
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return sent
  const plain = ([name, value]: [string, unknown]) =>
    /^client_name(#|$)/.test(name) && typeof value === 'string' ? [name, clientName(value) || undefined] : [name, value]
  const said = Object.entries(given).filter(([name, value]) => name === 'redirect_uris' || !saysNothing(value))
  return JSON.stringify(Object.fromEntries(said.map(plain)))
}

/** True if a field says nothing, as many programs write fields that they do not use. It is a field that was left out. */
const saysNothing = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (typeof value === 'object' && Object.values(value).every(saysNothing))

/** True if a registration names an address that no code may be sent to. */
export const hasUnsafeRedirect = (sent: string): boolean => {
  try {
    const { redirect_uris: uris } = JSON.parse(sent) as { redirect_uris?: unknown }
    return Array.isArray(uris) && uris.some((uri) => typeof uri === 'string' && isUnsafeRedirect(uri))
  } catch {
    return false
  }
}

/** Returns the address of a registration, and the token to read it with (RFC 7592, section 3). */
const management = async (ring: KeyRing, publicUrl: string, clientId: string) => ({
  registration_client_uri: `${publicUrl}${OAUTH.register}/${clientId}`,
  registration_access_token: await accessTokenFor(ring, clientId),
})

/** The answer to a registration, with where it can be read again; a refusal for its redirects has their own code (RFC 7591, 3.2.2). */
export const registrationAnswer = async (ring: KeyRing, publicUrl: string, answer: Response): Promise<Response> => {
  const body = (await answer.json()) as { client_id: string; error?: string; error_description?: string }
  const isOfRedirects = body.error === 'invalid_client_metadata' && /redirect.uri/i.test(body.error_description ?? '')
  const told =
    answer.status === 201
      ? { ...body, ...(await management(ring, publicUrl, body.client_id)) }
      : { ...body, ...(isOfRedirects ? { error: 'invalid_redirect_uri' } : {}) }
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  return new Response(JSON.stringify(told), { status: answer.status, headers })
}

type Client = NonNullable<Awaited<ReturnType<OAuth['api']['lookupClient']>>>

/** Returns the registration as the application reads it (RFC 7592, section 3). Its secret is not kept, and is in no answer. */
export const ownRegistration = async (ring: KeyRing, publicUrl: string, client: Client) => ({
  client_id: client.clientId,
  client_id_issued_at: client.registrationDate,
  client_name: client.clientName,
  redirect_uris: client.redirectUris,
  grant_types: client.grantTypes,
  response_types: client.responseTypes,
  token_endpoint_auth_method: client.tokenEndpointAuthMethod,
  ...(await management(ring, publicUrl, client.clientId)),
})

/** True if a caller may read a registration: with a token of any of the sealing keys. Both sides are hashed before they are compared. */
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
