import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

const count = () => z._default(z.int().check(z.gte(0)), 0)
const Rule = z.object({ allow: z.boolean(), path: z.string() })
/** A sitemap file; `isGuessed` if nobody named it and the usual place is tried. */
const File = z.object({ url: z.string(), depth: z.int(), isGuessed: z._default(z.boolean(), false) })

/** Progress of the scan of a project's site. It is the payload of the scan's outbox row, so that a crash loses one run at most. */
export const ScanProgress = z.object({
  project_id: id(),
  step: z._default(z.enum(['open', 'sitemaps', 'pages']), 'open'),
  /** Counts the runs that were saved: a run that was overtaken saves nothing. */
  turn: count(),
  /** Failed tries to reach the site. */
  tries: count(),
  /** Start of the scan, ms since 1970: pages it has not seen since are no longer of the site. */
  started_at: count(),
  rules: z._default(z.array(Rule), []),
  delay_ms: count(),
  /** Earliest time of the next request to the site, ms since 1970: a run that is woken early waits. */
  not_before: count(),
  /** Sitemap files still to be read, how many were read, and how many addresses they gave. */
  sitemaps: z._default(z.array(File), []),
  files: count(),
  addresses: count(),
  /** Sitemap files that could not be read although the site has them: the list of addresses is not whole then. */
  missed: count(),
  /** Reasons for which the first of the sitemap files without an address had none, and their number. */
  empty_reasons: z._default(z.array(z.string()), []),
  empty: count(),
  sitemap_url: z._default(z.string(), ''),
  headings: z._default(z.array(z.string()), []),
  /** Pages up to this row were visited, and how many. */
  after_id: count(),
  visited: count(),
})

export type ScanProgress = z.infer<typeof ScanProgress>

/** Finds keywords for a project and plans its first month. `src/insights/onboarding` does it. */
export const onboardJob = defineJob({
  name: 'research.onboard',
  worker: 'background',
  payload: z.object({ project_id: id() }),
  key: 'onboard',
  id: 'project_id',
})

/** Scans a project's site. `src/content/site` does it. */
export const scanJob = defineJob({
  name: 'research.scan',
  worker: 'watch',
  payload: ScanProgress,
  key: 'scan',
  id: 'project_id',
})

/** Publishes a social post, now or at its date, or looks it up if its outcome is unknown. `src/reach/social` does it. */
export const postJob = defineJob({
  name: 'social.post',
  worker: 'background',
  payload: z.object({ post_id: id() }),
  key: 'social_post',
  id: 'post_id',
})

/** State of a project whose scan waits to begin. */
export const SCAN_ASKED = { siteScanState: 'pending', siteScanError: null } as const

/** The turns of a scan that begins again start here, so that a run of the one before saves nothing any more. */
export const firstTurn = (random: number): number => 1 + Math.floor(random * 1_000_000_000)
