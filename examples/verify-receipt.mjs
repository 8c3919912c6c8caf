#!/usr/bin/env node
// Checks a signed receipt without an account:  node verify-receipt.mjs receipt.json https://galley.example [text.html]
//
// receipt.json: the answer of GET /articles/:id/receipt.json, or the JWS alone. The second value is the address of the
// service that you trust, or a saved copy of its /.well-known/receipt-keys.json. text.html: the HTML that was sent, to
// compare it with the receipt. Needs Node 18 or later, and nothing else.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const PATH = '/.well-known/receipt-keys.json'
const TYP = 'galley-receipt+jws'
/** A key signs for a moment after it was retired, while a release replaces another. */
const LEEWAY_S = 86_400

/** Error for a receipt that proves nothing. Its message says why. */
export class NotProved extends Error {}

const decoded = (part) => {
  // Node ignores characters that are not base64url, so that two texts could have the same bytes.
  if (!/^[A-Za-z0-9_-]+$/.test(part)) throw new NotProved('The JWS has characters that do not belong there.')
  const bytes = Buffer.from(part, 'base64url')
  if (bytes.toString('base64url') !== part) throw new NotProved('The JWS is not written in the one right way.')
  return bytes
}

const json = (part) => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(decoded(part)))
  } catch (error) {
    throw error instanceof NotProved ? error : new NotProved('A part of the JWS is not JSON.')
  }
}

/** Returns the statement of a JWS that one of the keys signed. Throws NotProved. */
export const verified = (jws, keys) => {
  const parts = jws.trim().split('.')
  const [head = '', payload = '', signature = ''] = parts
  if (parts.length !== 3) throw new NotProved('This is no compact JWS: it needs three parts.')
  const { alg, typ, kid } = json(head)
  if (alg !== 'EdDSA' || typ !== TYP) throw new NotProved(`This is no signed receipt (alg ${alg}, typ ${typ}).`)
  const key = keys.find((one) => one.kid === kid && one.kty === 'OKP' && one.crv === 'Ed25519')
  if (!key) throw new NotProved('The service does not know the key that signed it.')
  const { kty, crv, x } = key
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  if (!verify(null, Buffer.from(`${head}.${payload}`), publicKey, decoded(signature)))
    throw new NotProved('The signature does not fit: the receipt was changed.')
  const statement = json(payload)
  if (statement.v !== 1) throw new NotProved(`Version ${statement.v} of receipts is unknown to this program.`)
  const from = Date.parse(key.from) / 1_000 - LEEWAY_S
  const until = key.until ? Date.parse(key.until) / 1_000 + LEEWAY_S : Number.POSITIVE_INFINITY
  if (!(statement.iat >= from && statement.iat <= until))
    throw new NotProved('It was signed at a time at which its key was not in use.')
  return statement
}

const keysOf = async (from) => {
  if (!/^https?:/.test(from)) return JSON.parse(readFileSync(from, 'utf8')).keys
  const response = await fetch(new URL(PATH, from))
  if (!response.ok) throw new Error(`${response.url} answers with ${response.status}.`)
  return (await response.json()).keys
}

const main = async ([file, from, text]) => {
  if (!file || !from) throw new Error('Usage: node verify-receipt.mjs receipt.json https://galley.example [text.html]')
  const given = readFileSync(file, 'utf8')
  const jws = given.trimStart().startsWith('{') ? JSON.parse(given).jws : given
  if (!jws) throw new NotProved('There is no signed receipt in this file.')
  const statement = verified(jws, await keysOf(from))
  if (/^https?:/.test(from) && statement.iss !== new URL(from).origin)
    throw new NotProved(`It names another service: ${statement.iss}.`)
  const hash = text && createHash('sha256').update(readFileSync(text)).digest('hex')
  if (hash && hash !== statement.content_sha256) throw new NotProved('It is about another text.')
  console.log(`Verified. ${statement.iss} signed on ${new Date(statement.iat * 1_000).toISOString()}:`)
  console.log(JSON.stringify(statement, null, 2))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  main(process.argv.slice(2)).catch((error) => {
    console.error(error instanceof NotProved ? `NOT verified. ${error.message}` : error.message)
    process.exitCode = 1
  })
