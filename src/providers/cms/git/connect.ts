import * as z from 'zod/mini'
import { newSigningSecret } from '../../../platform/lib/crypto.ts'
import { noBlanks } from '../../../platform/lib/fields.ts'
import { apiUrl, fetchablePrefix, jsonOf, type Opened, optionalFields, textsOf, token } from '../fields.ts'
import { GENERATORS } from './body.ts'
import { type Layout, PARTS, TAKE_DOWNS } from './layout.ts'
import { apiAddress, HOSTS, placeOf } from './place.ts'

/** True for the path of a file within the repository. Folders that begin with a dot hold settings, such as those of its workflows. */
const isPostPath = (path: string): boolean =>
  /\.(?:md|mdx|markdown)$/.test(path) &&
  path.split('{slug}').length === 2 &&
  !/[\\{}]/.test(path.replace(/\{(?:slug|year|month|day)\}/g, '')) &&
  path.split('/').every((part) => part !== '' && !part.startsWith('.'))

const isPostUrl = (address: string): boolean =>
  address === '' ||
  (/^https?:\/\/[^\s?#]+$/.test(address) && URL.canParse(address) && address.split('{slug}').length === 2)

/** Ways to change the branch: commits on it, or pull requests that people merge. */
const MODES = ['commit', 'pull_request'] as const

const Keys = optionalFields(PARTS, z.string().check(z.trim(), z.regex(/^(?:[\w-]{1,100})?$/)))

const Shape = z.object({
  host: z.optional(z.enum(HOSTS)),
  host_url: z.optional(fetchablePrefix()),
  repository: z.string().check(z.trim(), z.maxLength(500), noBlanks()),
  token: token(),
  branch: z.optional(
    z.string().check(
      z.trim(),
      z.refine((name) => /^(?!-)[\w./-]{1,200}$/.test(name) && !name.includes('..'), {
        error: 'must be the name of a branch',
      }),
    ),
  ),
  mode: z.optional(z.enum(MODES)),
  generator: z.optional(z.enum(GENERATORS)),
  path: z.optional(
    z.string().check(
      z.trim(),
      z.maxLength(300),
      z.refine(isPostPath, {
        error:
          'must be the path of a post that ends in .md or .mdx, with {slug} once, such as src/content/blog/{slug}.md. It may have {year}, {month} and {day}, and no part may begin with a dot',
      }),
    ),
  ),
  front_matter: z.optional(z.string().check(z.maxLength(5_000))),
  keys: z.optional(Keys),
  unpublish: z.optional(z.enum(TAKE_DOWNS)),
  post_url: z.optional(
    z.string().check(
      z.trim(),
      z.maxLength(500),
      z.refine(isPostUrl, {
        error: 'must be the address of a post with {slug} once, such as https://blog.example/blog/{slug}/',
      }),
    ),
  ),
  api_url: z.optional(apiUrl()),
})

const Fields = Shape.check((context) => {
  const place = placeOf(context.value)
  if ('problem' in place)
    context.issues.push({ code: 'custom', input: context.value, path: [place.field], message: place.problem })
})

/** Connection form of a repository. Only the repository and a token are required: the rest is found in its files. */
export const gitConnection = {
  fields: Fields,
  connection: (given: Record<string, unknown>): Opened => {
    const { api_url, host_url, keys, ...fields } = Fields.parse(given)
    const place = placeOf({ ...fields, host_url })
    if ('problem' in place) throw new Error(place.problem)
    const { host, repository } = place
    return {
      // The repository is part of the address, so that a file of another one is never taken for a post of ours.
      url: apiAddress(place, api_url),
      urlField: api_url ? 'api_url' : host_url ? 'host_url' : 'repository',
      name: repository,
      secrets: {
        ...textsOf({ ...fields, host, repository, keys: keys && JSON.stringify(keys) }),
        signing_secret: newSigningSecret(),
      },
    }
  },
}

/** Returns the settings that somebody gave or the connection found, from the texts in which they are stored. */
export const givenLayout = (secrets: Readonly<Record<string, string>>): Partial<Layout> => {
  const { branch, generator, path, front_matter, keys, unpublish, post_url } = z
    .partial(Shape)
    .parse({ ...secrets, keys: jsonOf(secrets.keys) })
  const entries = { branch, generator, path, frontMatter: front_matter, keys, unpublish, postUrl: post_url }
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Partial<Layout>
}

/** Returns the settings as they are stored, by the names of the form's fields. */
export const storedLayout = ({ frontMatter, postUrl, keys, ...layout }: Layout): Record<string, string> => ({
  ...layout,
  front_matter: frontMatter,
  keys: JSON.stringify(keys),
  post_url: postUrl,
})
