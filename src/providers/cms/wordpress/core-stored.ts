import * as z from 'zod/mini'
import type { CmsArticle, CmsFailure } from '../../../publishing/target/cms-adapter.ts'
import { refused } from '../http.ts'
import { askCore, type Core } from './site.ts'
import type { WordpressPost } from './types.ts'

type Stored = NonNullable<CmsArticle['stored']>

/** Parts of a text that WordPress removes or changes for users without the right `unfiltered_html`. Measured on 6.5.5. */
const FILTERED: readonly (readonly [string, RegExp])[] = [
  ['an element', /<(?:iframe|svg|form|input|select|textarea|object|embed|script|style|canvas)\b/i],
  ['an event', /<[^>]*\son[a-z]+\s*=/i],
  ['an attribute', /<[^>]*\s(?:tabindex|srcset|sizes|contenteditable)\s*=/i],
  ['a style', /<[^>]*\sstyle\s*=[^>]*(?:display|transform|rgba?\(|hsla?\(|var\()/i],
  ['a reference', /&(?!(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);)/i],
  ['a line break', /<(?:br|hr|img)\b[^>]*[^\s/>]\/>/i],
  ['the attributes of a block', /<!--\s+wp:(?:core\/|[^>]*(?:\\u00|\{\s*\n|:\s|,\s))/i],
]

/** True if WordPress does not filter what this user writes into the post. */
const isUnfiltered = ({ _links: links }: WordpressPost): boolean => links?.['wp:action-unfiltered-html'] !== undefined

const MAX_SHOWN = 60

/**
 * Returns the refusal of a text that was made of another one than the post has, or that WordPress would filter for this user;
 * undefined if it can be written.
 */
export const storedRefusal = (post: WordpressPost, { from, to }: Stored): CmsFailure | undefined => {
  if (post.content?.raw !== from)
    return refused(
      'changed',
      'Somebody changed the post at WordPress at the same moment. Nothing was changed.',
      409,
      true,
    )
  if (isUnfiltered(post)) return undefined
  for (const [what, sign] of FILTERED) {
    const found = sign.exec(to)?.[0]
    if (found !== undefined)
      return refused(
        'validation',
        `WordPress would take out or rewrite ${what} of the post (“${found.slice(-MAX_SHOWN)}”), because the connected user may not post unfiltered HTML. Nothing was changed. Connect as an administrator or editor of the site.`,
        403,
      )
  }
  return undefined
}

/**
 * Makes WordPress keep the text as it was found. It stores only new texts as revisions, so a post without any revision is saved
 * once unchanged.
 *
 * A site without revisions keeps nothing; the service has the text in any case.
 */
export const keepOriginal = async (core: Core, { id }: WordpressPost, content: string): Promise<void> => {
  const query = { context: 'edit', per_page: '1', _fields: 'id' }
  const path = `posts/${id}/revisions`
  const revisions = await askCore(core, z.array(z.object({ id: z.number() })), { method: 'GET', path, query })
  if (revisions.kind !== 'done' || revisions.value === null || revisions.value.length > 0) return
  await askCore(core, z.object({ id: z.number() }), {
    method: 'POST',
    path: `posts/${id}`,
    query: { context: 'edit', _fields: 'id' },
    json: { content },
  })
}

/** Returns the text from the first character on that differs. */
export const firstDifference = (sent: string, kept: string): string => {
  let at = 0
  while (at < sent.length && sent[at] === kept[at]) at += 1
  return kept.slice(Math.max(0, at - 20), at + MAX_SHOWN)
}
