import { createPublicKey, verify } from 'node:crypto'
import { expect, it } from 'vitest'
import { keyDirectory, requestSigner } from '../../../src/platform/lib/request-signature.ts'

/** Test key of RFC 9421, appendix B.1.4, and its thumbprint in draft-meunier-web-bot-auth-architecture. */
const RING = [
  { id: 'rfc', key: Uint8Array.from(Buffer.from('n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU', 'base64url')) },
]
const X = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs'
const THUMBPRINT = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'
const AT = new Date('2026-11-29T12:00:00Z')
const CREATED = AT.getTime() / 1000

/** True if the signature fits the base, which the test writes as RFC 9421, section 2.5, says. */
const isSigned = (base: string, signature: string): boolean => {
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: X } })
  return verify(null, Buffer.from(base), key, Buffer.from(signature.split(':')[1] ?? '', 'base64'))
}

it('signs method, host, path and our address, for a minute, under the thumbprint of the key', async () => {
  const sign = requestSigner(RING, 'https://galley.example/base')
  const headers = await sign?.('GET', new URL('https://blog.example:8443/a%20b?x=1'), AT)
  const params = `("@method" "@authority" "@path" "signature-agent");created=${CREATED};expires=${CREATED + 60};keyid="${THUMBPRINT}";alg="ed25519";tag="web-bot-auth"`
  expect(headers).toEqual({
    'Signature-Agent': '"https://galley.example"',
    'Signature-Input': `sig1=${params}`,
    Signature: expect.stringMatching(/^sig1=:[A-Za-z0-9+/]+=*:$/),
  })
  const base = (path: string) =>
    [
      '"@method": GET',
      '"@authority": blog.example:8443',
      `"@path": ${path}`,
      '"signature-agent": "https://galley.example"',
      `"@signature-params": ${params}`,
    ].join('\n')
  expect(isSigned(base('/a%20b'), headers?.Signature ?? '')).toBe(true)
  expect(isSigned(base('/admin'), headers?.Signature ?? '')).toBe(false)
})

it('lists its public keys, and each signs the list for the host that was asked', async () => {
  const answer = await keyDirectory(RING, 'galley.example', AT)
  expect(answer.headers.get('content-type')).toBe('application/http-message-signatures-directory+json')
  expect(await answer.json()).toEqual({
    keys: [{ kty: 'OKP', crv: 'Ed25519', kid: THUMBPRINT, x: X, use: 'sig', nbf: CREATED, exp: CREATED + 86_400 }],
  })
  const input = answer.headers.get('signature-input') ?? ''
  expect(input).toMatch(
    /^key1=\("@authority";req\);created=\d+;expires=\d+;keyid="[\w-]{43}";alg="ed25519";tag="http-message-signatures-directory"$/,
  )
  const base = `"@authority";req: galley.example\n"@signature-params": ${input.replace('key1=', '')}`
  expect(isSigned(base, answer.headers.get('signature') ?? '')).toBe(true)
})

it('signs nothing without a key, and lists none', async () => {
  expect(requestSigner([], 'https://galley.example')).toBeUndefined()
  const answer = await keyDirectory([], 'galley.example', AT)
  expect([await answer.json(), answer.headers.has('signature')]).toEqual([{ keys: [] }, false])
})
