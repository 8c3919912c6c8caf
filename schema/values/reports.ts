/** Days of a figure (`YYYY-MM-DD`, both included), and how many of them were measured. */
type Days = { from: string; to: string; days: number; of: number }

/** Figures of a project's month. Null: it was not measured. */
export type MonthFigures = {
  /** First and last day of the month, in the project's time zone. */
  from: string
  to: string
  timezone: string
  /** Clicks and impressions in Google, by days of Pacific time. */
  search: (Days & { clicks: number; impressions: number }) | null
  published: number
  changed: number
  /** Articles that Google listed of those about which it was asked, on the day of the report. */
  indexed: { n: number; indexed: number } | null
  /** Answers of AI engines, and those that cite the site, in the scans that ended in the month. */
  citations: { scans: number; answers: number; cited: number } | null
  /** Visits from AI assistants, by days of UTC. */
  visits: (Days & { visits: number }) | null
  /** Links of the exchange that were live on the day of the report. */
  links: { received: number; given: number } | null
  /** Article credits that the project used in the month (UTC). */
  credits: number | null
}
