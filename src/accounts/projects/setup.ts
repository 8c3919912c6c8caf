import type { ProjectRow } from './present.ts'

/** The columns that say how far a project is set up. */
export type SetupRow = Pick<
  ProjectRow,
  | 'id'
  | 'siteScanState'
  | 'siteScanError'
  | 'onboardingState'
  | 'onboardingError'
  | 'onboardingPlanned'
  | 'onboardingWanted'
  | 'onboardingNote'
>

/** Returns the progress of the project's setup; the errors name the reason of the last failure, and the remedy. */
export const projectSetup = (p: SetupRow) => ({
  site_scan: p.siteScanState,
  site_scan_error:
    p.siteScanState !== 'failed' || p.siteScanError === null
      ? null
      : `${p.siteScanError} Have it scanned again with POST /projects/${p.id}/scan.`,
  site_scan_note: p.siteScanState === 'completed' ? p.siteScanError : null,
  // A try that failed leaves its error, and can be started again as one that never was.
  onboarding:
    p.onboardingState === 'not_started' && p.onboardingError !== null ? ('failed' as const) : p.onboardingState,
  onboarding_error: p.onboardingError,
  planned: p.onboardingPlanned,
  wanted: p.onboardingWanted,
  note: p.onboardingNote,
  next_calls:
    p.siteScanState === 'failed'
      ? [{ method: 'POST' as const, path: `/projects/${p.id}/scan`, why: 'Scans the site again.' }]
      : [],
})
