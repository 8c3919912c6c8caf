import type { SuggestionState, Wording } from '../../../schema/values/suggestions.ts'
import type { SuggestionDetail } from './read.ts'

/** Actions on a suggestion, the states they start from, and the state they lead to. */
export const MOVES = {
  approve: { from: ['pending'], to: 'approved' },
  take: { from: ['approved', 'rewriting'], to: 'rewriting' },
  stage: { from: ['rewriting'], to: 'ready' },
  fail: { from: ['approved', 'rewriting'], to: 'failed' },
  publish: { from: ['ready'], to: 'published' },
  reject: { from: ['pending', 'approved', 'rewriting', 'ready', 'failed'], to: 'rejected' },
  regenerate: { from: ['ready', 'failed'], to: 'approved' },
  supersede: { from: ['pending', 'approved', 'rewriting', 'ready', 'failed'], to: 'superseded' },
} as const satisfies Record<string, { from: readonly SuggestionState[]; to: SuggestionState }>

export type Move = keyof typeof MOVES

/** True if the move is allowed from a state. */
export const isAllowed = (move: Move, from: SuggestionState): boolean =>
  (MOVES[move].from as readonly SuggestionState[]).includes(from)

/** A suggestion with its rewrite, and the live article it is for. */
export type Staged = SuggestionDetail & { articleId: number; after: Wording; revision: number; articleUpdatedAt: Date }

/** True if there is a rewrite, and a live article to publish it as. */
export const isStaged = (found: SuggestionDetail): found is Staged =>
  found.articleId !== null && found.after !== null && found.revision !== null && found.articleStatus === 'Published'

type Words = Pick<SuggestionDetail, 'title' | 'metaDescription' | 'content'>

/** True if an article has these words. */
export const hasWording = (found: Words, { title, meta_description: description, content }: Wording): boolean =>
  found.title === title && found.metaDescription === description && found.content === content

/** True if the article has something of the rewrite that it did not have before. */
export const hasSomeWording = ({ title, metaDescription, content, before, after }: Staged): boolean =>
  (title === after.title && title !== before?.title) ||
  (metaDescription === after.meta_description && metaDescription !== before?.meta_description) ||
  (content === after.content && content !== before?.content)
