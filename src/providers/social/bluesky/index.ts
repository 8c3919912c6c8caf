import * as z from 'zod/mini'
import type { MediaFile } from '../../../../schema/values/social.ts'
import { fetchPicture } from '../../../content/media/fetch.ts'
import { headerLine, httpUrl, text } from '../../../platform/lib/fields.ts'
import { linksIn } from '../../../platform/lib/links.ts'
import { graphemesOf } from '../../../platform/lib/text.ts'
import type {
  DirectAccount,
  DirectNetwork,
  FindOutcome,
  OutgoingPost,
  SendOutcome,
  Unfit,
} from '../../../reach/social/port.ts'
import { bytesOf } from '../../../reach/social/rules.ts'
import { type Asked, type BlueskyDeps, type Caller, callerOf, signedIn, signIn, xrpc } from './api.ts'

type Feature =
  | { $type: 'app.bsky.richtext.facet#link'; uri: string }
  | { $type: 'app.bsky.richtext.facet#tag'; tag: string }
  | { $type: 'app.bsky.richtext.facet#mention'; did: string }

/** A range of a text, in bytes of UTF-8, and its meaning (app.bsky.richtext.facet). */
type Facet = { index: { byteStart: number; byteEnd: number }; features: Feature[] }

/** Returns a new pattern for hashtags, after a number sign of either width. Invisible characters end a tag. */
const tag = () => /(?<=^|\s)[#＃](?!\ufe0f)([^\s\u00ad\u200b-\u200d\u2060]+)/gu
/** Largest size of a tag: graphemes, and bytes (app.bsky.richtext.facet). */
const MAX_TAG = { graphemes: 64, bytes: 640 }

/** True if Bluesky takes a text for a tag: a number or punctuation alone is none. */
const isTag = (name: string): boolean =>
  /[^\d\p{P}]/u.test(name) &&
  (name.length <= MAX_TAG.graphemes ||
    (bytesOf(name) <= MAX_TAG.bytes && graphemesOf(name).length <= MAX_TAG.graphemes))

/** Returns the hashtags of a text with their places, as Bluesky's own application finds them (@atproto/api). */
const tagsIn = (text: string): { start: number; name: string }[] =>
  [...text.matchAll(tag())].flatMap(({ index, 1: found = '' }) => {
    const name = found.replace(/(?<!\p{P})\p{P}+$/u, '')
    return isTag(name) ? [{ start: index, name }] : []
  })

const MENTION = /(?<=^|\s|\()@((?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z][a-zA-Z0-9-]{0,61})/g
/** Returns the handles that a text mentions, each once. */
const mentionsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(MENTION)].map(([, handle = '']) => handle.toLowerCase())),
]

/** Part of a text, in UTF-16 units, and its meaning. */
type Place = { start: number; length: number; feature: Feature }

/** Returns the places as facets, in order. */
const asFacets = (text: string, places: readonly Place[]): Facet[] => {
  let byteStart = 0
  let from = 0
  return places
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, length, feature }) => {
      byteStart += bytesOf(text.slice(from, start))
      from = start
      const byteEnd = byteStart + bytesOf(text.slice(start, start + length))
      return { index: { byteStart, byteEnd }, features: [feature] }
    })
}

/** Returns the links, hashtags and mentions of a text. A handle without a DID stays plain text. */
export const facetsOf = (text: string, dids: ReadonlyMap<string, string>): Facet[] => {
  const links = linksIn(text).map(
    ({ start, end, uri }): Place => ({
      start,
      length: end - start,
      feature: { $type: 'app.bsky.richtext.facet#link', uri },
    }),
  )
  const tags = tagsIn(text).map(
    ({ start, name }): Place => ({
      start,
      length: 1 + name.length,
      feature: { $type: 'app.bsky.richtext.facet#tag', tag: name },
    }),
  )
  const mentions = [...text.matchAll(MENTION)].flatMap((match): Place[] => {
    const did = dids.get((match[1] ?? '').toLowerCase())
    if (!did) return []
    return [{ start: match.index, length: match[0].length, feature: { $type: 'app.bsky.richtext.facet#mention', did } }]
  })
  return asFacets(text, [...links, ...tags, ...mentions])
}

const COLLECTION = 'app.bsky.feed.post'
/** Largest picture that Bluesky accepts, bytes. */
const MAX_IMAGE_BYTES = 2_000_000
const MAX_MENTIONS = 10

const DIGITS = '234567abcdefghijklmnopqrstuvwxyz'

/** Returns a record key (TID) derived from a post's key. It is the same in every attempt, so that a retry creates no second record. */
const recordKey = (askedAt: Date, key: string): string => {
  const clock = BigInt(askedAt.getTime()) * 1_000n
  const noise = BigInt(`0x${key.replaceAll('-', '').slice(0, 8) || '0'}`)
  let value = ((clock + (noise % 1_000n)) << 10n) | ((noise >> 10n) & 1_023n)
  let text = ''
  for (let n = 0; n < 13; n += 1) {
    text = (DIGITS[Number(value & 31n)] ?? '2') + text
    value >>= 5n
  }
  return text
}

const Resolved = z.object({ did: z.string() })

/** Returns the DIDs of handles that a text mentions. Unknown handles are left out. */
const didsOf = async (deps: BlueskyDeps, pds: string, text: string): Promise<Map<string, string>> => {
  const found = new Map<string, string>()
  for (const handle of mentionsIn(text).slice(0, MAX_MENTIONS)) {
    const asked = await xrpc(deps, { pds, method: 'com.atproto.identity.resolveHandle', query: { handle } })
    const resolved = asked.kind === 'answered' ? Resolved.safeParse(asked.body) : undefined
    if (resolved?.success) found.set(handle, resolved.data.did)
  }
  return found
}

type Refused = Extract<SendOutcome, { kind: 'refused' }>
type Image = { alt: string; image: unknown; aspectRatio?: { width: number; height: number } }

const Blob = z.object({ blob: z.record(z.string(), z.unknown()) })

const refused = (reason: string, retryable: boolean, retryAfterS?: number): Refused => ({
  kind: 'refused',
  reason,
  retryable,
  ...(retryAfterS === undefined ? {} : { retryAfterS }),
})

const upload = async (
  deps: BlueskyDeps,
  account: DirectAccount,
  call: Caller,
  { url, alt_text: alt = '', width, height }: MediaFile,
): Promise<Image | Refused> => {
  const picture = await fetchPicture({ outbound: deps.outbound, ...deps.settings }, url, MAX_IMAGE_BYTES)
  if (!('bytes' in picture)) return refused(`The picture ${url} could not be used: ${picture.reason}`, !picture.lasts)
  const asked = await call((token) =>
    xrpc(deps, {
      pds: account.url,
      method: 'com.atproto.repo.uploadBlob',
      token,
      blob: { bytes: picture.bytes, type: picture.type },
    }),
  )
  // An uploaded picture without a post does no harm, so the upload can be repeated.
  if (asked.kind === 'unknown') return refused(asked.reason, true)
  if (asked.kind === 'refused') return refused(asked.reason, asked.retryable, asked.retryAfterS)
  const blob = Blob.safeParse(asked.body)
  if (!blob.success) return refused('Bluesky’s answer could not be read.', true)
  return { alt, image: blob.data.blob, ...(width && height ? { aspectRatio: { width, height } } : {}) }
}

const isRefused = (value: Image | Refused): value is Refused => 'kind' in value

/** Handle that a server returns for an account whose own handle does not resolve (@atproto/syntax, INVALID_HANDLE). */
const NO_HANDLE = 'handle.invalid'

const urlOf = ({ username, remoteId }: DirectAccount, rkey: string): string =>
  `https://bsky.app/profile/${username === NO_HANDLE ? remoteId : username}/post/${rkey}`

const Put = z.object({ uri: z.string(), cid: z.string() })

/** Writes the post's record at its key. Doing it again changes nothing. */
const sendToBluesky = async (deps: BlueskyDeps, account: DirectAccount, post: OutgoingPost): Promise<SendOutcome> => {
  const call = callerOf(deps, account)
  const images: Image[] = []
  for (const file of post.media) {
    const image = await upload(deps, account, call, file)
    if (isRefused(image)) return image
    images.push(image)
  }
  const facets = facetsOf(post.text, await didsOf(deps, account.url, post.text))
  const embed =
    images.length > 0
      ? { $type: 'app.bsky.embed.images', images }
      : post.link === null
        ? undefined
        : {
            $type: 'app.bsky.embed.external',
            external: { uri: post.link, title: new URL(post.link).hostname, description: '' },
          }
  const rkey = recordKey(post.askedAt, post.key)
  const record = {
    $type: COLLECTION,
    text: post.text,
    createdAt: post.askedAt.toISOString(),
    ...(facets.length > 0 ? { facets } : {}),
    ...(embed ? { embed } : {}),
    ...(Array.isArray(post.options.langs) ? { langs: post.options.langs } : {}),
  }
  const json = { repo: account.remoteId, collection: COLLECTION, rkey, record }
  const asked = await call((token) =>
    xrpc(deps, { pds: account.url, method: 'com.atproto.repo.putRecord', token, json }),
  )
  if (asked.kind === 'unknown') return asked
  if (asked.kind === 'refused') return refused(asked.reason, asked.retryable, asked.retryAfterS)
  const put = Put.safeParse(asked.body)
  if (!put.success) return { kind: 'unknown', reason: 'Bluesky’s answer could not be read.' }
  return { kind: 'published', remoteId: put.data.uri, networkId: put.data.cid, url: urlOf(account, rkey) }
}

/** Finds the post's record. Records are public, so no tokens are needed. */
const findOnBluesky = async (deps: BlueskyDeps, account: DirectAccount, post: OutgoingPost): Promise<FindOutcome> => {
  const rkey = recordKey(post.askedAt, post.key)
  const query = { repo: account.remoteId, collection: COLLECTION, rkey }
  const asked = await xrpc(deps, { pds: account.url, method: 'com.atproto.repo.getRecord', query })
  if (asked.kind === 'answered') {
    const got = z.object({ uri: z.string() }).safeParse(asked.body)
    if (got.success)
      return { kind: 'published', remoteId: got.data.uri, url: urlOf(account, rkey), publishedAt: post.askedAt }
  }
  const isAbsent =
    asked.kind === 'refused' && (asked.name === 'RecordNotFound' || /could not locate record/i.test(asked.reason))
  if (isAbsent) return { kind: 'absent' }
  return { kind: 'unsure', reason: asked.kind === 'answered' ? 'Bluesky’s answer could not be read.' : asked.reason }
}

const DEFAULT_PDS = 'https://bsky.social'

const Fields = z.object({
  identifier: text(253, 1),
  app_password: headerLine(200),
  service_url: z.optional(httpUrl()),
})

/** Returns why the caller's address is not that of a server; undefined if a server answered, or may still answer. */
const unfitAddress = (asked: Asked, url: string): Unfit | undefined => {
  const fault = { kind: 'unfit', field: 'service_url' } as const
  if (asked.kind === 'refused' && asked.name === 'Forbidden')
    return { ...fault, code: 'forbidden_url', reason: asked.reason }
  const isNobody = asked.kind === 'unknown' ? asked.isDeaf : asked.kind === 'refused' && asked.name === 'no_host'
  return isNobody
    ? { ...fault, code: 'invalid_input', reason: `nothing answers at ${url}, where signing in was tried` }
    : undefined
}

/** Returns Bluesky, called directly with an app password (AT protocol, https://atproto.com/specs/xrpc). */
export const bluesky = (deps: BlueskyDeps): DirectNetwork => ({
  credentials: {
    fields: Fields,
    connect: async (fields) => {
      const { identifier, app_password, service_url } = fields as z.infer<typeof Fields>
      const handle = identifier.replace(/^@/, '')
      const asked = await signIn(deps, service_url ?? DEFAULT_PDS, handle, app_password)
      const unfit = service_url === undefined ? undefined : unfitAddress(asked, service_url)
      if (unfit) return unfit
      if (asked.kind === 'unknown') return { kind: 'refused', reason: asked.reason, retryable: true }
      if (asked.kind === 'refused') {
        const { name: _, ...refusal } = asked
        return refusal
      }
      const got = signedIn(asked.body, service_url ?? DEFAULT_PDS)
      if (!got) return { kind: 'refused', reason: 'Bluesky’s answer could not be read.', retryable: true }
      return {
        kind: 'got',
        value: {
          remoteId: got.did,
          name: got.handle,
          username: got.handle,
          url: got.pds,
          secrets: { identifier: got.did, app_password },
          session: got.session,
        },
      }
    },
  },
  misfit: ({ media }) => {
    if (media.some(({ type }) => type === 'video')) return 'must be pictures: videos go to Bluesky through the provider'
    const isTooLarge = media.some(({ size = 0 }) => size > MAX_IMAGE_BYTES)
    return isTooLarge ? 'must be pictures of at most 2 MB: Bluesky takes no larger ones' : undefined
  },
  send: (account, post) => sendToBluesky(deps, account, post),
  find: (account, post) => findOnBluesky(deps, account, post),
})
