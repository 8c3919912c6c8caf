import { ApiError } from './errors.ts'

const TAG: unique symbol = Symbol('etag')

/** Returns the ETag of one version of a thing. Every save changes it. */
export const etagOf = (changedAt: Date, revision?: number): string =>
  `"${revision === undefined ? '' : `${revision}-`}${changedAt.getTime().toString(36)}"`

/** Returns an answer's body with the tag of the version it shows, which is sent as the header `ETag`. */
export const withTag = <Body extends object>(body: Body, tag: string): Body => ({ ...body, [TAG]: tag })

/** Returns the tag of a body, if it has one. */
export const tagOf = (body: object): string | undefined => (body as { [TAG]?: string })[TAG]

const LIST = /^\s*(W\/)?"[\x21\x23-\x7e]*"(\s*,\s*(W\/)?"[\x21\x23-\x7e]*")*\s*$/

/**
 * Returns the tags of an `If-Match` header (RFC 9110, 13.1.1); undefined if any version is accepted. Throws 400.
 *
 * A tag that a proxy made weak by compressing the answer counts as the original.
 */
export const readIfMatch = (header: string | undefined): readonly string[] | undefined => {
  if (header === undefined || header.trim() === '*') return undefined
  if (header.length > 1_000 || !LIST.test(header))
    throw new ApiError('invalid_input', 'If-Match: must be the ETag of an earlier answer, in its quotation marks', {
      details: [{ field: 'If-Match', message: 'must be the ETag of an earlier answer, in its quotation marks' }],
    })
  return header.match(/"[^"]*"/g) ?? []
}

/** True if a tag names this version: exactly, or by the number of its revision alone, as in `"12"`. */
const names = (given: string, tag: string): boolean => given === tag || tag.startsWith(`${given.slice(0, -1)}-`)

/** Throws 412 with the current tag if the caller saw another version. */
export const checkUnchanged = (ifMatch: readonly string[] | undefined, tag: string): void => {
  if (!ifMatch || ifMatch.some((given) => names(given, tag))) return
  throw new ApiError(
    'changed_meanwhile',
    'It was changed since you read it. Nothing was changed by this call. Read it again, then repeat the call with the new ETag if you still want the change.',
    { etag: tag },
  )
}

/** True if a list of entity tags contains this one, by weak comparison (RFC 9110, 13.1.2). */
export const hasTag = (header: string | null, tag: string): boolean =>
  header !== null && (header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))
