import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

const count = z._default(z.int().check(z.gte(0)), 0)
const Rule = z.object({ allow: z.boolean(), path: z.string() })
/** A sitemap file. `isGuessed` is true if its address is only the usual one, and no source names it. */
const File = z.object({ url: z.string(), depth: z.int(), isGuessed: z._default(z.boolean(), false) })

/** Progress of the scan of a project's site. It is the payload of the scan's outbox row, so that a crash loses one run at most. */
export const ScanProgress = z.object({
  project_id: id(),
  step: z._default(z.enum(['open', 'sitemaps', 'pages']), 'open'),
  /** Number of saved runs. A run whose number is out of date saves nothing. */
  turn: count,
  /** Failed tries to reach the site. */
  tries: count,
  /** Start of the scan, ms since 1970. Pages not seen since then are no longer part of the site. */
  started_at: count,
  rules: z._default(z.array(Rule), []),
  delay_ms: count,
  /** Earliest time of the next request to the site, ms since 1970: a run that is woken early waits. */
  not_before: count,
  /** Sitemap files still to be read, how many were read, and how many addresses they gave. */
  sitemaps: z._default(z.array(File), []),
  files: count,
  addresses: count,
  /** Sitemap files that exist but could not be read. The list of addresses is then incomplete. */
  missed: count,
  /** True if the site has more addresses or sitemap files than are read. */
  limited: z._default(z.boolean(), false),
  /** Reasons why the first sitemap files without addresses had none, and the number of such files. */
  empty_reasons: z._default(z.array(z.string()), []),
  empty: count,
  sitemap_url: z._default(z.string(), ''),
  headings: z._default(z.array(z.string()), []),
  /** Id of the row of the last visited page, and the number of visited pages. */
  after_id: count,
  visited: count,
})

export type ScanProgress = z.infer<typeof ScanProgress>

/** Finds keywords for a project and plans its first month. Implemented in `src/insights/onboarding`. */
export const onboardJob = defineJob({
  name: 'research.onboard',
  whenClosed: 'ends',
  payload: z.object({ project_id: id() }),
  key: 'onboard',
  id: 'project_id',
})

/** Scans a project's site. Implemented in `src/content/site`. */
export const scanJob = defineJob({
  name: 'research.scan',
  whenClosed: 'ends',
  payload: ScanProgress,
  key: 'scan',
  id: 'project_id',
})

/** Publishes a social post now or on its date, or looks it up if its outcome is unknown. Implemented in `src/reach/social`. */
export const postJob = defineJob({
  name: 'social.post',
  whenClosed: 'ends',
  payload: z.object({ post_id: id() }),
  key: 'social_post',
  id: 'post_id',
})

/** Erases a project after the days in which an owner could keep it. */
export const eraseProjectJob = defineJob({
  name: 'projects.erase',
  whenClosed: { runs: 'it only deletes what an owner asked to delete, and ends grants' },
  payload: z.object({ project_id: id() }),
  key: 'erase_project',
  id: 'project_id',
})

/** Columns of a project whose scan is queued. */
export const SCAN_ASKED = { siteScanState: 'pending', siteScanError: null } as const

/** Returns a random first turn for a restarted scan, so that no run of the earlier scan can save anything. */
export const firstTurn = (random: number): number => 1 + Math.floor(random * 1_000_000_000)
