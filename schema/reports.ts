import { date, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import type { MonthFigures } from './values/reports.ts'

/** Figures of a month of a project, as they were when the report was made. They are never changed. */
export const monthlyReports = pgTable(
  'monthly_reports',
  {
    id: identity(),
    projectId: projectId(),
    /** First day of the month. */
    month: date('month').notNull(),
    figures: jsonb('figures').$type<MonthFigures>().notNull(),
    /** SHA-256 of the token in the link, hex; null: the link was ended. */
    tokenHash: text('token_hash'),
    /** Time at which it was mailed to the people who want it. */
    mailedAt: instant('mailed_at'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('monthly_reports_month').on(t.projectId, t.month),
    uniqueIndex('monthly_reports_token').on(t.tokenHash),
  ],
)

/** People who get the report of each month by mail, and the time of the next one. */
export const reportMailings = pgTable(
  'report_mailings',
  {
    projectId: projectId().primaryKey(),
    accountId: accountId(),
    personIds: text('person_ids').array().notNull(),
    nextAt: instant('next_at').notNull(),
  },
  (t) => [index('report_mailings_due').on(t.nextAt), index('report_mailings_account').on(t.accountId)],
)
