import type { SuggestionState } from '../../../schema/values/suggestions.ts'

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
