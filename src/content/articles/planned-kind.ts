import { OWN_CHARACTERS } from './rules.ts'

/** A planned article with a date to come, as far as it decides what its date brings. */
export type PlannedArticle = {
  claimed: boolean
  /** True if it shows anything. */
  hasContent: boolean
  /** Length of its content, in characters. */
  characters: number
  /** True if the service's writer finished it. */
  written: boolean
  /** True if what the writer made falls short. */
  unfit: boolean
}

/** Facts of the project and the account that decide it too. */
export type PlanConditions = { hasWriter: boolean; credits: number; hasTarget: boolean; publishes: boolean }

/** Reasons for which a planned article will not go out on its date. */
type Obstacle = 'no_site' | 'falls_short' | 'no_text' | 'no_credit'

/** Kinds of planned articles: the caller's own text, one that the service writes, or one that will not go out. */
export type PlannedKind = { kind: 'yours' } | { kind: 'service'; isWritten: boolean } | { kind: 'stays'; why: Obstacle }

/** Returns what becomes of a planned article on its date, if nothing else is done. */
export const plannedKind = (article: PlannedArticle, conditions: PlanConditions): PlannedKind => {
  const { claimed, hasContent, characters, written, unfit } = article
  if (!conditions.hasTarget && conditions.publishes) return { kind: 'stays', why: 'no_site' }
  if (unfit) return { kind: 'stays', why: 'falls_short' }
  if (written && !claimed) return { kind: 'service', isWritten: true }
  if (claimed || (hasContent && characters >= OWN_CHARACTERS)) return { kind: 'yours' }
  if (!conditions.hasWriter) return hasContent ? { kind: 'yours' } : { kind: 'stays', why: 'no_text' }
  if (conditions.credits > 0) return { kind: 'service', isWritten: false }
  return hasContent ? { kind: 'yours' } : { kind: 'stays', why: 'no_credit' }
}
