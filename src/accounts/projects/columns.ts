import { sql } from 'drizzle-orm'
import type { projects } from '../../../schema/projects.ts'
import { SETTINGS } from './settings.ts'

type Columns = Partial<typeof projects.$inferInsert>
export type Patches = Partial<Record<'articleQualitySettings' | 'imagePreferences', Record<string, unknown>>>

/**
 * Stored columns of settings: plain ones as they are, merged ones gathered into one patch for each jsonb column. Null: what
 * holds by default.
 */
export const columnsOf = (settings: Record<string, unknown>): { columns: Columns; patches: Patches } => {
  const columns: Record<string, unknown> = {}
  const patches: Patches = {}
  for (const [name, value] of Object.entries(settings)) {
    const place = SETTINGS[name]?.place
    if (!place) continue
    if ('merged' in place) patches[place.merged] = { ...patches[place.merged], [name]: value ?? place.cleared }
    else columns[place.column] = value ?? sql`default`
  }
  return { columns: columns as Columns, patches }
}
