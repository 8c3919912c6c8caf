import { check, date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { instant, oneOf } from './columns.ts'
import { projectId } from './owners.ts'
import { INDEX_STATES, type IndexFacts } from './values/indexing.ts'

const state = (name: string) => text(name, { enum: INDEX_STATES })

/** Google's last answer about the page of an article, and whether its index had the page after some days. */
export const indexStates = pgTable(
  'index_states',
  {
    articleId: integer('article_id')
      .primaryKey()
      .references(() => articles.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    /** Address that Google was asked about. If the article has another one by now, the row says nothing about it. */
    url: text('url').notNull(),
    state: state('state').notNull(),
    facts: jsonb('facts').$type<IndexFacts>().notNull(),
    lookedAt: instant('looked_at').notNull(),
    /** State at the first look 7 to 13 days after publication, and 28 to 34 days after it. */
    after7: state('after_7'),
    after28: state('after_28'),
  },
  (t) => [
    index('index_states_project').on(t.projectId, t.state),
    check('index_states_state_check', oneOf(t.state, INDEX_STATES)),
  ],
)

/** Number of inspections that a project used of a property's daily quota at Google. */
export const inspectionDays = pgTable(
  'inspection_days',
  {
    property: text('property').notNull(),
    /** Day in the time zone of the quota, which is Google's. */
    day: date('day').notNull(),
    projectId: projectId(),
    used: integer('used').notNull(),
  },
  (t) => [
    primaryKey({ name: 'inspection_days_pkey', columns: [t.property, t.day, t.projectId] }),
    index('inspection_days_project').on(t.projectId),
    index('inspection_days_day').on(t.day),
  ],
)
