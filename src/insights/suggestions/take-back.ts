import type { Wording } from '../../../schema/values/suggestions.ts'
import { type Assessment, assess, assessmentQueries } from '../../content/articles/assess.ts'
import { readSent } from '../../content/articles/content.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { wordsBefore } from './queries.ts'
import type { SuggestionDetail } from './read.ts'
import { isStaged, type Staged, says, saysSome } from './states.ts'

type NextCall = { method: string; path: string; body?: { sync: true }; why: string }

/** Rejection: its message about the article, and the words it puts back. */
export type Rejection = {
  message: string
  next_calls?: NextCall[]
  back?: TakenBack
}

/** The words an article gets back, and what follows from them. `siteHasThem`: readers see them already. */
export type TakenBack = {
  articleId: number
  /** The revision that has the rewrite. */
  revision: number
  words: Wording
  savedAt: Date
  siteHasThem: boolean
  assessment: Assessment
}

const UNTOUCHED: Rejection = { message: 'The suggestion is rejected. The article stays as it is.' }

/** Returns the state of a rewrite that cannot be taken back. */
const whereabouts = ({ publishState }: Staged): string => {
  if (publishState === 'idle') return 'is live: the article keeps it.'
  if (publishState === 'publishing') return 'is saved in the article and on its way to the site: the article keeps it.'
  return 'is saved in the article, which keeps it: the next sync sends it to the site.'
}

/** Returns the rejection of a rewrite that the article keeps, or a part of it. */
const kept = (found: Staged, older: number | null): Rejection => {
  const what = says(found, found.after) ? 'Its rewrite' : 'A part of its rewrite'
  const revisions = `/articles/${found.articleId}/revisions`
  const next: NextCall =
    older === null
      ? { method: 'GET', path: revisions, why: 'Lists the versions before, to restore one of them.' }
      : {
          method: 'POST',
          path: `${revisions}/${older}/restore`,
          body: { sync: true },
          why: 'Saves the words from before and sends them to the site.',
        }
  return { message: `The suggestion is rejected. ${what} ${whereabouts(found)}`, next_calls: [next] }
}

/** True if publishing saved the rewrite and failed, and nobody changed the article since. */
const isUnsent = (found: Staged): found is Staged & { before: Wording } =>
  found.publishState === 'failed' &&
  found.revision === found.baseRevision &&
  found.before !== null &&
  says(found, found.after) &&
  !says(found, found.before)

const restored = (found: Staged, back: TakenBack): Rejection => {
  const message = `The suggestion is rejected. Its rewrite was saved, but did not reach the site: the article has the words from before again, as revision ${found.revision + 1}.`
  if (back.siteHasThem) return { back, message }
  const path = `/articles/${found.articleId}/sync`
  return {
    back,
    message: `The suggestion is rejected. The article has the words from before its rewrite again, as revision ${found.revision + 1}. It is not known what the site shows.`,
    next_calls: [{ method: 'POST', path, why: 'Without a body: sends the words from before to the site.' }],
  }
}

const assessedOf = (found: Staged, words: Wording) => ({
  keyword: found.mainKeyword ?? '',
  title: words.title,
  slug: found.slug ?? '',
  metaDescription: words.meta_description,
  articleStyle: found.articleStyle ?? '',
  featureImage: found.featureImage ?? undefined,
})

/** Returns the rejection of a rewrite that the article has already: one that was saved and not sent is taken back. */
export const rejectionOf = async (ctx: Ctx, found: SuggestionDetail): Promise<Rejection> => {
  if (!isStaged(found) || !saysSome(found)) return UNTOUCHED
  const { articleId, revision, articleUpdatedAt } = found
  const { safe } = isUnsent(found) ? await readSent(ctx, { content: found.before.content }) : {}
  const [earlier, ...around] = await ctx.read(() => [
    wordsBefore(ctx.db, found.id),
    ...assessmentQueries(ctx, { articleId }, safe?.reading),
  ])
  const { older = null, shown = false } = earlier.rows[0] ?? {}
  if (!safe || !isUnsent(found)) return kept(found, older)
  const words = { ...found.before, content: safe.html }
  const assessment = await assess(ctx, around, { articleId }, assessedOf(found, words), safe.reading)
  const savedAt = new Date(Math.max(ctx.now().getTime(), articleUpdatedAt.getTime() + 1))
  return restored(found, { articleId, revision, words, savedAt, siteHasThem: shown, assessment })
}
