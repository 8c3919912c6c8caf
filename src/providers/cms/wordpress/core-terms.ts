import * as z from 'zod/mini'
import type { CmsArticle, CmsFailure } from '../../../publishing/target/cms-adapter.ts'
import { askCore, type Core, errorIn, failureOf } from './site.ts'
import { isSameName, termSlugs } from './transform.ts'
import { Created, Terms, Users } from './types.ts'

/** Ids found or made, and notes for names that have none. */
type Ids = { ids: number[]; notes: string[] }

type Kind = 'tags' | 'categories'

const SINGULAR = { tags: 'tag', categories: 'category' } as const

/** The id of an existing term, which WordPress tells when it refuses to make it twice. */
const existing = z.object({ data: z.object({ term_id: z.coerce.number().check(z.int(), z.gte(1)) }) })

const makeTerm = async (core: Core, kind: Kind, name: string): Promise<number | CmsFailure> => {
  const answer = await core.site.ask({
    method: 'POST',
    path: `wp/v2/${kind}`,
    query: { _fields: 'id,code,message,data' },
    json: { name },
  })
  if (answer.kind !== 'answered') return answer
  const made = answer.status < 300 ? Created.safeParse(answer.json) : undefined
  if (made?.success) return made.data.id
  const known = errorIn(answer)?.code === 'term_exists' ? existing.safeParse(answer.json) : undefined
  return known?.success ? known.data.data.term_id : failureOf(answer)
}

/**
 * Tags or categories by name: looked up by slug at once, then made where they are missing. A name that cannot be made is a
 * note. Only a rate limit fails the whole, for every further call would meet it.
 */
const termIds = async (core: Core, kind: Kind, names: readonly string[]): Promise<Ids | CmsFailure> => {
  if (names.length === 0) return { ids: [], notes: [] }
  const slugs = termSlugs(names)
  const looked =
    slugs.length === 0
      ? { kind: 'done' as const, value: [] }
      : await askCore(core, Terms, {
          method: 'GET',
          path: kind,
          query: { slug: slugs.join(','), per_page: '100', _fields: 'id,name' },
        })
  const known = looked.kind === 'done' ? (looked.value ?? []) : []
  const ids = new Set<number>()
  const notes: string[] = []
  for (const name of names) {
    const id = known.find((term) => isSameName(term.name, name))?.id ?? (await makeTerm(core, kind, name))
    if (typeof id === 'number') ids.add(id)
    else if (id.kind === 'refused' && id.code === 'rate_limited') return id
    else notes.push(`The ${SINGULAR[kind]} "${name}" could not be made: ${id.reason}`)
  }
  return { ids: [...ids], notes }
}

/** Returns the id of the one user with this name. WordPress shows only users with published posts to those who may not list them. */
const authorId = async (core: Core, name: string): Promise<Ids | CmsFailure> => {
  if (name === '') return { ids: [], notes: [] }
  const query = { search: name, per_page: '100', _fields: 'id,name' }
  const result = await askCore(core, Users, { method: 'GET', path: 'users', query })
  if (result.kind === 'refused' && result.code === 'rate_limited') return result
  const users = result.kind === 'done' ? (result.value ?? []) : []
  const same = users.filter((user) => isSameName(user.name, name))
  const [user] = same
  return user && same.length === 1
    ? { ids: [user.id], notes: [] }
    : { ids: [], notes: [`No one user named "${name}" was found at WordPress, so the byline is the connected user's.`] }
}

/** The post fields of an article's tags, category and author. What is empty leaves the post as it is. */
export const termFields = async (
  core: Core,
  article: CmsArticle,
): Promise<{ fields: { tags?: number[]; categories?: number[]; author?: number }; notes: string[] } | CmsFailure> => {
  const tags = await termIds(core, 'tags', article.tags)
  if ('kind' in tags) return tags
  const categories = await termIds(core, 'categories', article.category === '' ? [] : [article.category])
  if ('kind' in categories) return categories
  const author = await authorId(core, article.author)
  if ('kind' in author) return author
  const [user] = author.ids
  return {
    fields: {
      ...(tags.ids.length > 0 ? { tags: tags.ids } : {}),
      ...(categories.ids.length > 0 ? { categories: categories.ids } : {}),
      ...(user === undefined ? {} : { author: user }),
    },
    notes: [...tags.notes, ...categories.notes, ...author.notes],
  }
}
