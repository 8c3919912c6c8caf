/** Kinds of changes of a live page: a suggested rewrite, a sync, or a return to an earlier version. */
export const CHANGE_KINDS = ['rewrite', 'sync', 'rollback'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

export const VERDICTS = ['up', 'down', 'within_noise'] as const
export type Verdict = (typeof VERDICTS)[number]

/** Shares of clicks gained or lost: 0.1 is 10 % more. */
export type Interval = { low: number; high: number }

/** Effect of a change on a page’s clicks, compared with similar pages that were not touched. */
export type PageEffect = {
  clicks_before: number
  clicks_after: number
  /** The page's change relative to the change expected from similar pages; null without a comparison. */
  change: number | null
  /** Change expected without the rewrite, from the untouched pages. */
  control_change: number | null
  /** Number of untouched pages it was compared with. */
  controls: number
  /** 97 % interval of `change`. */
  interval: Interval | null
  verdict: Verdict | null
  /** Reason for the missing verdict. */
  reason: string | null
}
