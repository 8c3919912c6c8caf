import { base64Url, fromBase64 } from '../lib/crypto.ts'
import { type SessionSecrets, signedAgain } from './secret.ts'

/**
 * A token by which an address is confirmed, as better-auth makes it (a JWT, HS256, RFC 7515), signed again where one of the older
 * secrets signed it. What it says, and when it ends, stays. A token that nobody signed stays as it is.
 */
export const renewToken = async (token: string, secrets: SessionSecrets): Promise<string> => {
  const dot = token.lastIndexOf('.')
  const [signedText, given] = [token.slice(0, dot), token.slice(dot + 1)]
  const signature = await signedAgain(signedText, given.replaceAll('-', '+').replaceAll('_', '/'), secrets)
  return signature === undefined ? token : `${signedText}.${base64Url(fromBase64(signature))}`
}
