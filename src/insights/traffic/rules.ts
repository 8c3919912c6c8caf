import { ASSISTANTS, type TrafficKind } from '../../../schema/values/traffic.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import { AGENTS } from '../crawlers/agents.ts'

/** Agents that make requests of their own. */
export const COUNTED_AGENTS = AGENTS.filter(({ isNameOnly }) => !isNameOnly)

/** True if a count has a name of the closed lists. A newer plugin may send others. */
export const isKnown = ({ kind, name }: { kind: TrafficKind; name: string }): boolean =>
  kind === 'visit' ? ASSISTANTS.some((one) => one === name) : COUNTED_AGENTS.some(({ token }) => token === name)

/** Returns the day (UTC) that is a number of days from that of an instant. */
export const dayFrom = (now: Date, days: number): string =>
  new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)

/** Connection of a project, as far as visits depend on it. */
export type Source = { platform: string; error: string | null }

const OTHER_CMS = 'Visits are counted by the WordPress plugin. The project is connected to something else.'

/** Returns the reason why days of a project are missing; null if none is missing, or nothing hinders the counting. */
export const reasonOf = (source: Source | undefined, days: { measured: number; asked: number }): string | null => {
  if (days.measured === days.asked) return null
  if (!source) return 'No site is connected to the project. Visits are counted by the WordPress plugin.'
  if (source.platform !== 'wordpress') return OTHER_CMS
  if (source.error !== null) return source.error
  return days.measured > 0
    ? null
    : 'No whole day was read yet. The plugin counts from the day after its installation, and a day is read in the night after it (UTC).'
}
