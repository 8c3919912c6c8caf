import type { Standing } from './queries.ts'

/** Needs of a project, the most urgent first. */
export const NEEDS = ['failing', 'waiting', 'not_connected', 'rewrites_ready', 'nothing'] as const

/** Returns the most urgent need of a project. */
export const needOf = (site: Standing): (typeof NEEDS)[number] => {
  if (site.failed + site.unknown > 0) return 'failing'
  if (site.waiting > 0) return 'waiting'
  if (!site.has_target || site.target_error !== null) return 'not_connected'
  return site.ready > 0 ? 'rewrites_ready' : 'nothing'
}
