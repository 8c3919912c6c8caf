import type { Making, SuggestionState, Trigger } from '../../../schema/values/suggestions.ts'
import type { listRows, suggestionById } from './queries.ts'

/** Progress of a rewrite. */
type Progress = { step: number; of: number; percent: number; label: string }

const OF = 4

const at = (step: number, percent: number, label: string): Progress => ({ step, of: OF, percent, label })

/** Returns the progress of a rewrite, by the parts that are made; null if none is being made. */
const progressOf = (status: SuggestionState, making: Making | null): Progress | null => {
  if (status === 'approved') return at(0, 0, 'Waiting for its turn')
  if (status !== 'rewriting') return null
  if (!making?.live) return at(1, 5, 'Reading the live page')
  const again = making.asked > 0
  if (making.html === undefined)
    return again
      ? at(2, 40, 'Rewriting the text once more: what came back was not sound')
      : at(2, 20, 'Rewriting the text')
  if (making.wording === undefined)
    return again
      ? at(3, 80, 'Wording title and description once more: what came back was not sound')
      : at(3, 70, 'Wording title and description')
  return at(OF, 90, 'Comparing with the article')
}

type Row = Omit<Awaited<ReturnType<typeof listRows>>[number], 'inPage'>
type Detail = Awaited<ReturnType<typeof suggestionById>>[number]

const time = (at: Date | null): string | null => at?.toISOString() ?? null

const triggerOf = (trigger: Trigger) => ({ ...trigger, last_year: trigger.last_year ?? null })

/** Returns a suggestion as lists show it. What triggered it and what is proposed are shown once the rewrite is ready. */
export const suggestionRow = (s: Row) => ({
  id: s.id,
  project_id: s.projectId,
  article_id: s.articleId,
  status: s.status,
  opportunity_type: s.opportunityType,
  suggestion_type: 'content_rewrite' as const,
  source_type: s.opportunityType,
  article_title: s.articleTitle,
  article_url: s.articleUrl,
  priority: s.priority,
  reason: s.reason,
  trigger_snapshot: s.readyAt === null ? null : triggerOf(s.trigger),
  proposed_diff:
    s.before && s.after && s.stats
      ? { before: s.before, after: s.after, stats: s.stats, trigger_snapshot: triggerOf(s.trigger) }
      : null,
  notes: s.notes,
  error: s.error,
  feedback: s.feedback,
  effect: s.effect,
  created_at: s.createdAt.toISOString(),
  updated_at: s.updatedAt.toISOString(),
  ready_at: time(s.readyAt),
  published_at: time(s.publishedAt),
})

/** Returns a suggestion by itself: with the live page it was made from, and how far its rewrite is. */
export const suggestionDetail = (s: Detail) => ({
  ...suggestionRow(s),
  live_page: s.livePage,
  progress: progressOf(s.status, s.making),
})
