import { check, date, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, oneOf } from './columns.ts'
import { projectId } from './owners.ts'
import { BING_KINDS, type BingRow } from './values/bing.ts'

/** Imported files of Bing's AI performance report, one for each kind and period of a project. */
export const bingReports = pgTable(
  'bing_reports',
  {
    projectId: projectId(),
    kind: text('kind', { enum: BING_KINDS }).notNull(),
    fromDay: date('from_day').notNull(),
    toDay: date('to_day').notNull(),
    /** SHA-256 of the rows. The same file has the same hash. */
    hash: text('hash').notNull(),
    rows: jsonb('rows').$type<BingRow[]>().notNull(),
    /** Sum of the rows. */
    citations: integer('citations').notNull(),
    importedAt: instant('imported_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'bing_reports_pkey', columns: [t.projectId, t.kind, t.toDay, t.fromDay] }),
    check('bing_reports_kind_check', oneOf(t.kind, BING_KINDS)),
  ],
)
