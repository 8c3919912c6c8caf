import { isEvent } from '../audit/log.ts'

/** Attempts fail for this long before the endpoint is paused, ms. */
export const PAUSE_AFTER_MS = 3 * 86_400_000

/** Waits after the first failures in a row, in seconds. The last one repeats. */
const WAITS_S = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400]

/** Returns how long to wait after a number of failures in a row, ms. A wait that the endpoint asked for is the least. */
export const waitAfter = (failures: number, askedS = 0): number =>
  1_000 * Math.max(askedS, WAITS_S[Math.min(failures, WAITS_S.length) - 1] ?? 0)

/** Filter of an endpoint: which events it receives. */
export type Filter = { kinds: readonly string[]; projectId: number | null }

/** True if an entry of the audit log is an event that an endpoint receives. */
export const isWanted = (
  { kinds, projectId }: Filter,
  entry: { type: string; at: Date; project_id: number | null },
  since: Date,
): boolean =>
  isEvent(entry.type) &&
  entry.at >= since &&
  (projectId === null || entry.project_id === projectId) &&
  (kinds.length === 0 || kinds.some((kind) => entry.type === kind || entry.type.startsWith(`${kind}.`)))
