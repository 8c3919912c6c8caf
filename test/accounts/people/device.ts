import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Shown } from './browser.ts'

const b64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()

/** Returns the options by which a page asks the browser for a passkey. */
export const optionsOn = (page: Shown) => {
  const [, text = 'null'] = /data-options="([^"]*)"/.exec(page.text) ?? []
  return JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

/** Answers of a device that is not honest. */
export type Lies = {
  origin?: string
  challenge?: string
  /** Flags of the authenticator's data: 1 present, 4 verified. */
  flags?: number
  counter?: number
  userHandle?: string
  id?: string
  rpId?: string
}

type CreateOptions = { challenge: string; rp: { id: string }; user: { id: string } }
type GetOptions = { challenge: string; rpId: string }

/** Returns a device that makes one passkey and signs in with it, as the browser at `origin` would have it do. */
export const newDevice = (origin: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let userHandle = ''
  let counter = 0

  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authData = (rpId: string, flags: number, lies: Lies, rest = Buffer.alloc(0)) => {
    counter = lies.counter ?? counter + 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([lies.flags ?? flags]), count, rest])
  }
  const answer = (response: object, lies: Lies) =>
    JSON.stringify({
      id: lies.id ?? b64(id),
      rawId: lies.id ?? b64(id),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    })

  return {
    id: b64(id),
    /** Makes the passkey: the answer of `navigator.credentials.create`, as JSON. */
    create: ({ challenge, rp, user }: CreateOptions, lies: Lies = {}): string => {
      userHandle = user.id
      const cose = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      const data = authData(rp.id, 0x45, lies, credential)
      // CBOR of { fmt: 'none', attStmt: {}, authData }.
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      return answer(
        {
          clientDataJSON: b64(clientData('webauthn.create', challenge, lies)),
          attestationObject: b64(attestation),
          transports: ['internal'],
        },
        lies,
      )
    },
    /** Signs in: the answer of `navigator.credentials.get`, as JSON. */
    get: ({ challenge, rpId }: GetOptions, lies: Lies = {}): string => {
      const data = authData(rpId, 0x05, lies)
      const client = clientData('webauthn.get', challenge, lies)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return answer(
        {
          clientDataJSON: b64(client),
          authenticatorData: b64(data),
          signature: b64(signature),
          userHandle: lies.userHandle ?? userHandle,
        },
        lies,
      )
    },
  }
}

export type Device = ReturnType<typeof newDevice>
