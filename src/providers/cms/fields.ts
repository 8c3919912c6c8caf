import * as z from 'zod/mini'
import { headerToken, noBlanks } from '../../platform/lib/fields.ts'

/** Returns an object that may have each of these fields, every one of the same kind. */
export const optionalFields = <const Name extends string, Field extends z.ZodMiniType>(
  names: readonly Name[],
  field: () => Field,
) =>
  z.object(
    Object.fromEntries(names.map((name) => [name, z.optional(field())])) as Record<Name, z.ZodMiniOptional<Field>>,
  )

/** Returns a token or key that can be in an HTTP header: visible ASCII, at most 4,000 characters (some are JWTs). */
export const token = () => headerToken(4_000)

/** Returns an id as a provider gives it: letters, digits, `-` and `_`, at most 100 characters. */
export const remoteId = () =>
  z.string().check(
    z.trim(),
    z.refine((value) => /^[\w-]{1,100}$/.test(value), { error: 'must be an id of letters, digits, - and _' }),
  )

const isPageAddress = (value: string): boolean => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return (
    url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === ''
  )
}

/** Returns an absolute http(s) address to put slugs behind, without its trailing slash. */
export const addressPrefix = () => prefix(false)

/** Such an address that will be asked: another scheme, or credentials, are refused as `forbidden_url`. */
export const askedPrefix = () => prefix(true)

const prefix = (isAddress: boolean) =>
  z.pipe(
    z.string().check(
      z.trim(),
      z.maxLength(500),
      noBlanks(),
      z.refine(isPageAddress, {
        error: 'must be an absolute http or https URL without query or credentials',
        params: { isAddress },
      }),
    ),
    z.transform((value: string) => value.replace(/(?<!\/)\/+$/, '')),
  )

/** Another address of the provider's API, on this machine only: for stand-ins in development. */
export const apiUrl = () =>
  z.pipe(
    z.string().check(
      z.trim(),
      z.refine((value) => /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?\/?$/.test(value), {
        error: "must be a loopback address; leave it out for the provider's own",
      }),
    ),
    z.transform((value: string) => value.replace(/(?<!\/)\/+$/, '')),
  )

/** Connection of a platform, made from the fields of its form. */
export type Opened = {
  /** Address that calls go to. */
  url: string
  /** The field `url` came from. */
  urlField: string
  /** A label for people. */
  name: string
  secrets: Record<string, string>
}

/** Settings as `secrets` keeps them: texts only, what is not given left out. */
export const textsOf = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined))

/** Returns a JSON object or list kept as text in `secrets`; undefined when there is none or it cannot be read. */
export const jsonOf = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}
