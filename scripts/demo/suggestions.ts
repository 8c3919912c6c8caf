import { setTimeout as sleep } from 'node:timers/promises'
import {
  Effects,
  Moved,
  Suggestion,
  SuggestionDiff,
  SuggestionPublished,
  SuggestionRun,
  Suggestions,
} from './shapes.ts'
import { deliveriesOf, type Stage, same } from './stage.ts'
import { Mismatch } from './tour.ts'

const POLL_MS = 2_500
const LIMIT_S = 120
/** The others remain for people to try. */
const MAX_TRIED = 3

/** Reads a suggestion until its rewrite has ended. */
const untilRewritten = async ({ api, tour }: Stage, id: number) => {
  const began = performance.now()
  for (;;) {
    const { suggestion } = (await api('GET', `/suggestions/${id}`, { 200: Suggestion }, { quiet: true })).body
    const waitedS = Math.round((performance.now() - began) / 1000)
    if (suggestion.status === 'ready' || suggestion.status === 'failed') {
      tour.endProgress()
      return suggestion
    }
    if (waitedS > LIMIT_S) throw new Mismatch(`Suggestion ${id} within ${LIMIT_S} s`, 'ready', suggestion.status)
    tour.progress(`${suggestion.progress?.label ?? suggestion.status} for ${waitedS} s`)
    await sleep(POLL_MS)
  }
}

/**
 * Approves suggestions, most clicks first, until a rewrite is ready. Without a model, some of them lead to no change.
 */
const firstReady = async (stage: Stage, projectId: number) => {
  const { api, tour } = stage
  const path = `/suggestions?project_id=${projectId}&status=pending`
  const { suggestions } = (await api('GET', path, { 200: Suggestions })).body
  for (const { id, reason, article_title } of [...suggestions]
    .sort((a, b) => b.priority - a.priority)
    .slice(0, MAX_TRIED)) {
    tour.fields({ article: article_title, reason })
    await api('POST', `/suggestions/${id}/approve`, { 200: Moved })
    const suggestion = await untilRewritten(stage, id)
    if (suggestion.status === 'ready') return suggestion
    tour.note(suggestion.error?.split('. ')[0] ?? 'The rewrite failed.')
  }
  return undefined
}

/** Shows the way from search data to a published rewrite, on the sample project. */
export const improveArticle = async (stage: Stage): Promise<void> => {
  const { api, tour, service } = stage
  tour.step(
    'Improve an article that ranks',
    'Search data say which; a rewrite is proposed, compared, and published as an update.',
  )
  const projectId = service.sample_project_id
  if (projectId === undefined) return tour.note('The service was started without its sample project: left out.')
  const run = (await api('POST', '/suggestions/run', { 200: SuggestionRun }, { body: { project_id: projectId } })).body
  tour.fields({ created: run.created, message: run.message })
  const suggestion = await firstReady(stage, projectId)
  if (!suggestion)
    return tour.note(
      'There is nothing to publish: the search data may still be on their way, or an earlier run published it.',
    )
  const { id, article_id: article } = suggestion
  const { body: diff } = await api('GET', `/suggestions/${id}/diff`, { 200: SuggestionDiff })
  tour.fields({ title: `${diff.before.title} → ${diff.after.title}`, ...diff.stats })
  const { body: published } = await api('POST', `/suggestions/${id}/publish`, { 200: SuggestionPublished })
  tour.fields({ status: published.suggestion.status, url: published.url })
  const sent = await deliveriesOf(stage, article)
  same(tour, 'the blog was sent an update', sent.at(-1)?.event_type, 'update_articles')
  const { body: effects } = await api('GET', `/suggestions/effects?project_id=${projectId}`, { 200: Effects })
  for (const { effect, kind, article_title } of effects.effects)
    tour.fields({
      kind,
      article: article_title,
      effect: effect ? (effect.verdict ?? effect.reason) : 'measured in 32 days',
    })
}
