import type { SearchNumbers } from '../search/parts.ts'

/** An article that is live, as the detectors know it. */
type SnapshotArticle = {
  id: number
  title: string
  url: string | null
  isThin: boolean
  words: number
  wanted: number
}

/** Everything the detectors look at, read once: the same for all of them. */
export type Snapshot = {
  period: { starts_on: string; ends_on: string; days: number }
  hasBefore: boolean
  articles: ReadonlyMap<number, SnapshotArticle>
  /** Pages of articles of the project, each with its numbers. */
  pages: readonly SearchNumbers[]
  /** Queries on pages, those of pages that are no articles included. */
  queries: readonly SearchNumbers[]
  /** Pages in the same weeks of the year before, by key; empty where history does not reach so far. */
  lastYear: ReadonlyMap<string, { clicks: number; clicks_before: number }>
}
