import { randomUUID } from 'node:crypto'
import type { Account, Upload } from './account.ts'
import { type Answer, Refusal, success } from './answer.ts'

type Manifest = Readonly<Record<string, { hash: string; size: number }>>

/** Files that one call of an upload carries. */
const BUCKET_FILES = 8
const LASTS_S = 3_600

/** Returns a token in Cloudflare's form. Its middle part has the expiry, and here also the id of the upload. */
const tokenOf = (upload: Upload): string => {
  const claims = { exp: Math.floor(Date.now() / 1_000) + LASTS_S, upload: upload.id }
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.e30`
}

/** Returns the upload of a token. Throws a Refusal if the token is not valid. */
const uploadOf = (account: Account, token: string | undefined): Upload => {
  const [, claims = ''] = token?.split('.') ?? []
  const upload = account.uploads.find(({ id }) => Buffer.from(claims, 'base64url').toString().includes(`"${id}"`))
  if (!upload) throw new Refusal(401, 10_000, 'Authentication error')
  return upload
}

const missing = (account: Account, { manifest }: Upload): string[] => [
  ...new Set(
    Object.values(manifest)
      .map(({ hash }) => hash)
      .filter((hash) => !account.assets.has(hash)),
  ),
]

const inBuckets = (hashes: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(hashes.length / BUCKET_FILES) }, (_, at) =>
    hashes.slice(at * BUCKET_FILES, (at + 1) * BUCKET_FILES),
  )

/**
 * Begins an upload. Answers with a token, and with the files of the manifest that the account lacks.
 *
 * If the account has them all, a version can use this token.
 */
export const beginAssets = (account: Account, script: string, { manifest }: { manifest: Manifest }): Answer => {
  const upload = { id: randomUUID(), script, manifest }
  account.uploads.push(upload)
  return success({ jwt: tokenOf(upload), buckets: inBuckets(missing(account, upload)) })
}

/** True if a call is authorised by the token of an upload instead of the account's. */
export const carriesAssets = (method: string, path: string): boolean =>
  method === 'POST' && /^\/accounts\/[^/]+\/workers\/assets\/upload$/.test(path)

/** Stores files in base64, each under its hash. The answer to the last file has the token that a version uses. */
export const addAssets = async (account: Account, token: string | undefined, form: FormData): Promise<Answer> => {
  const upload = uploadOf(account, token)
  const asked = new Set(missing(account, upload))
  for (const [hash, value] of form) {
    if (!asked.has(hash)) throw new Refusal(400, 10_034, `The file ${hash} was not asked for.`)
    const text = typeof value === 'string' ? value : await value.text()
    account.assets.set(hash, Buffer.from(text, 'base64'))
  }
  const isWhole = missing(account, upload).length === 0
  return { ...success(isWhole ? { jwt: tokenOf(upload) } : {}), status: isWhole ? 201 : 202 }
}

/**
 * Returns the files of a version by their paths. Throws a Refusal if the token is another Worker's, or the upload
 * incomplete.
 */
export const assetsOf = (account: Account, script: string, token: string | undefined): Record<string, Uint8Array> => {
  const upload = uploadOf(account, token)
  if (upload.script !== script || missing(account, upload).length > 0)
    throw new Refusal(400, 100_314, 'The completion token of the assets is not valid.')
  return Object.fromEntries(
    Object.entries(upload.manifest).map(([path, { hash }]) => [path, account.assets.get(hash) ?? new Uint8Array()]),
  )
}
