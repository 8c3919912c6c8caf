import { createHash } from 'node:crypto'
import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'

type Record_ = { uri: string; cid: string; value: Record<string, unknown> }

export type RunningBluesky = StandIn & {
  /** Records by `did/collection/rkey`. */
  records: Map<string, Record_>
  /** Ends every access token, as an hour does. */
  expireTokens: () => void
  /** Revokes the app password with its tokens, as its owner can. A new one replaces it. */
  changePassword: (to: string) => void
  signIns: () => number
}

type Options = { identifier: string; password: string; port?: number }

const DID = 'did:plc:sandboxaccountofgalley00'
const MAX_BLOB = 2_000_000
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const fault = (status: number, error: string, message: string): Answer => json(status, { error, message })

const cidOf = (bytes: Buffer | string): string =>
  `bafkrei${createHash('sha256').update(bytes).digest('hex').slice(0, 52)}`

/**
 * Starts a stand-in of a server of the AT protocol on 127.0.0.1 with one account.
 *
 * A refresh token works once. Blobs have at most 2 MB, and posts at most 300 graphemes.
 */
export const startBluesky = async ({ identifier, password, port }: Options): Promise<RunningBluesky> => {
  const records = new Map<string, Record_>()
  const blobs = new Set<string>()
  let [serial, signIns] = [0, 0]
  let tokens: { access: string; refresh: string } | undefined
  let expected = password

  const session = (): Answer => {
    serial += 1
    tokens = { access: `access-${serial}`, refresh: `refresh-${serial}` }
    return json(200, {
      accessJwt: tokens.access,
      refreshJwt: tokens.refresh,
      did: DID,
      handle: identifier,
      active: true,
    })
  }
  const bearer = ({ headers }: StandInRequest): string => headers.authorization?.replace('Bearer ', '') ?? ''

  const putRecord = (body: unknown): Answer => {
    const { repo, collection, rkey, record } = (body ?? {}) as {
      repo?: string
      collection?: string
      rkey?: string
      record?: Record<string, unknown>
    }
    if (repo !== DID) return fault(400, 'InvalidRequest', 'Could not find repo')
    if (!rkey || !record || !/^[a-z2-7]{13}$/.test(rkey))
      return fault(400, 'InvalidRequest', 'record key must be a TID')
    const value = record as {
      text?: unknown
      createdAt?: unknown
      facets?: { index: { byteEnd: number } }[]
      embed?: unknown
    }
    if (typeof value.text !== 'string' || typeof value.createdAt !== 'string')
      return fault(400, 'InvalidRecord', 'Record must have the properties text and createdAt')
    if ([...graphemes.segment(value.text)].length > 300)
      return fault(400, 'InvalidRecord', 'Record/text must not be longer than 300 graphemes')
    const bytes = Buffer.byteLength(value.text)
    if (value.facets?.some(({ index }) => index.byteEnd > bytes))
      return fault(400, 'InvalidRecord', 'facet beyond the text')
    const key = `${DID}/${String(collection)}/${String(rkey)}`
    const made = { uri: `at://${key}`, cid: cidOf(JSON.stringify(record)), value: record }
    records.set(key, made)
    return json(200, { uri: made.uri, cid: made.cid })
  }

  const answer = (request: StandInRequest): Answer => {
    const { body, query, raw, headers } = request
    const method = request.path.replace('/xrpc/', '')
    if (method === 'com.atproto.server.createSession') {
      signIns += 1
      const given = (body ?? {}) as { identifier?: string; password?: string }
      const isKnown = (given.identifier === identifier || given.identifier === DID) && given.password === expected
      return isKnown ? session() : fault(401, 'AuthenticationRequired', 'Invalid identifier or password')
    }
    if (method === 'com.atproto.repo.getRecord') {
      const key = `${query.get('repo')}/${query.get('collection')}/${query.get('rkey')}`
      const found = records.get(key)
      return found ? json(200, found) : fault(400, 'RecordNotFound', `Could not locate record: at://${key}`)
    }
    if (method === 'com.atproto.identity.resolveHandle')
      return query.get('handle') === identifier
        ? json(200, { did: DID })
        : fault(400, 'InvalidRequest', 'Unable to resolve handle')
    if (method === 'com.atproto.server.refreshSession')
      return bearer(request) === tokens?.refresh ? session() : fault(400, 'ExpiredToken', 'Token has been revoked')
    if (bearer(request) !== tokens?.access) return fault(400, 'ExpiredToken', 'Token has expired')
    if (method === 'com.atproto.repo.uploadBlob') {
      if (raw.length > MAX_BLOB) return fault(400, 'BlobTooLarge', 'This file is too large.')
      const cid = cidOf(raw)
      blobs.add(cid)
      return json(200, {
        blob: { $type: 'blob', ref: { $link: cid }, mimeType: headers['content-type'], size: raw.length },
      })
    }
    if (method === 'com.atproto.repo.putRecord') return putRecord(body)
    return fault(501, 'MethodNotImplemented', 'Method Not Implemented')
  }

  const standIn = await startStandIn({
    ...(port === undefined ? {} : { port }),
    answer,
    posts: () => [...records.values()],
  })
  return {
    ...standIn,
    records,
    changePassword: (to) => {
      tokens = undefined
      expected = to
    },
    expireTokens: () => {
      if (tokens) tokens = { ...tokens, access: 'ended' }
    },
    signIns: () => signIns,
  }
}
