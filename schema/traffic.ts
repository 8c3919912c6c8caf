import { check, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { oneOf } from './columns.ts'
import { projectId } from './owners.ts'
import { TRAFFIC_KINDS } from './values/traffic.ts'

/** Days (UTC) whose visits and crawls the site counted from their beginning to their end. */
export const trafficDays = pgTable('traffic_days', { projectId: projectId(), day: date('day').notNull() }, (t) => [
  primaryKey({ name: 'traffic_days_pkey', columns: [t.projectId, t.day] }),
  index('traffic_days_day').on(t.day),
])

/** Visits from an assistant, or requests of an agent, for an article on a day. There is no row for none. */
export const trafficCounts = pgTable(
  'traffic_counts',
  {
    articleId: integer('article_id')
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    day: date('day').notNull(),
    kind: text('kind', { enum: TRAFFIC_KINDS }).notNull(),
    /** The assistant or the agent. */
    name: text('name').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [
    primaryKey({ name: 'traffic_counts_pkey', columns: [t.articleId, t.day, t.kind, t.name] }),
    index('traffic_counts_project').on(t.projectId, t.day),
    index('traffic_counts_day').on(t.day),
    check('traffic_counts_kind_check', oneOf(t.kind, TRAFFIC_KINDS)),
  ],
)
