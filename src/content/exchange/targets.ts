import { readWithProject } from '../../accounts/projects/scope.ts'
import { searchWords } from '../../platform/lib/search-words.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { BacklinkTargetsInput } from './operations.ts'
import { standingOf, targetsFor } from './queries.ts'

const MAX_TARGETS = 5

/** Returns the line of a project's topics that shares most words with the keyword; the keyword where none does. */
export const categoryOf = (topics: string, keyword: string): string => {
  const wanted = new Set(searchWords(keyword))
  const shared = (topic: string) => searchWords(topic).filter((word) => wanted.has(word)).length
  const [best] = topics
    .split('\n')
    .map((topic) => ({ topic: topic.trim(), shared: shared(topic) }))
    .filter(({ shared: count }) => count > 0)
    .sort((a, b) => b.shared - a.shared)
  return best?.topic ?? keyword
}

const instructionsFor = (id: number, participating: boolean, found: number): string => {
  if (!participating)
    return `This project takes no part in the backlink exchange. Set backlinks_network to true with PUT /projects/${id} to take part.`
  if (found === 0)
    return 'No partner can be linked to at the moment. Write the article without an exchange link, and ask again for the next one.'
  return 'Link to one or two of these pages where it helps the reader, with the project name or words that describe the page as the anchor. Use each URL as it is, without rel="nofollow", "sponsored" or "ugc". Each partner linked earns one credit when the article is saved.'
}

/**
 * Returns pages of other accounts' projects that are worth linking to for a keyword, at most five, nearest in topic and richest in
 * credits first. One round trip. Throws 404 and 403 for the project.
 */
export const findTargets = async (ctx: Ctx, { project_id: id, keyword }: BacklinkTargetsInput) => {
  const {
    results: [targets, found],
  } = await readWithProject(ctx, id, [
    targetsFor(ctx.db, id, keyword, MAX_TARGETS, ctx.now()),
    standingOf(ctx.db, id, ctx.now()),
  ] as const)
  const standing = found.rows[0]
  return {
    targets: targets.rows.map(({ url, title, meta_description, project_name }) => ({
      url,
      title,
      meta_description,
      project_name,
    })),
    category: categoryOf(standing?.topics ?? '', keyword),
    credits: standing?.credits ?? 0,
    instructions: instructionsFor(id, standing?.participating ?? false, targets.rows.length),
  }
}
