import type { StoredObject } from './files.ts'
import { type Condition, invalidRange, type Span } from './wire.ts'

type Tags = NonNullable<Condition['etagMatches']>

/** Strong comparison takes no weak tags (RFC 9110, section 8.8.3.2). */
const includes = (tags: Tags, etag: string, comparison: 'strong' | 'weak'): boolean =>
  tags.some(
    (tag) => tag.type === 'wildcard' || (tag.value === etag && (tag.type === 'strong' || comparison === 'weak')),
  )

/** Whether a condition holds for the object there is, or for none (RFC 9110, section 13.2.2). */
export const holds = (condition: Condition | undefined, object: StoredObject | undefined): boolean => {
  if (!condition) return true
  const { etagMatches, etagDoesNotMatch, uploadedAfter, uploadedBefore } = condition
  if (!object) return etagMatches === undefined && uploadedAfter === undefined
  const at = (ms: number) => (condition.secondsGranularity ? Math.floor(ms / 1000) * 1000 : ms)
  const matches = etagMatches === undefined || includes(etagMatches, object.etag, 'strong')
  const differs = etagDoesNotMatch === undefined || !includes(etagDoesNotMatch, object.etag, 'weak')
  const uploaded = at(object.uploaded)
  const isNewer =
    uploadedAfter === undefined || at(Number(uploadedAfter)) < uploaded || (etagDoesNotMatch !== undefined && differs)
  const isOlder =
    uploadedBefore === undefined || uploaded < at(Number(uploadedBefore)) || (etagMatches !== undefined && matches)
  return matches && differs && isNewer && isOlder
}

type Asked = { range?: { offset?: unknown; length?: unknown; suffix?: unknown }; rangeHeader?: string }

/** A header of one range; several, or one that is not understood, is as none (RFC 9110, section 14.2). */
const fromHeader = (header: string, size: number): Span | undefined => {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return spanOf(undefined, undefined, Number(last), size)
  return spanOf(Number(first), last === '' ? undefined : Number(last) - Number(first) + 1, undefined, size)
}

const spanOf = (
  offset: number | undefined,
  length: number | undefined,
  suffix: number | undefined,
  size: number,
): Span => {
  if (suffix !== undefined) {
    if (suffix <= 0) throw invalidRange()
    const given = Math.min(suffix, size)
    return { offset: size - given, length: given }
  }
  const from = offset ?? 0
  const wanted = length ?? size - from
  if (from < 0 || from > size || wanted <= 0) throw invalidRange()
  return { offset: from, length: Math.min(wanted, size - from) }
}

const number = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value))

/** The part of an object that is asked for. Throws a refusal for one it does not have. */
export const spanIn = ({ range, rangeHeader }: Asked, size: number): Span => {
  const whole = { offset: 0, length: size }
  if (rangeHeader !== undefined) return fromHeader(rangeHeader, size) ?? whole
  return range ? spanOf(number(range.offset), number(range.length), number(range.suffix), size) : whole
}
