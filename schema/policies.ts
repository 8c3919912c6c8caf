import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, oneOf } from './columns.ts'
import { accountId } from './owners.ts'
import { people } from './people.ts'
import { projects } from './projects.ts'
import { APPROVAL_NEEDS, type PolicyClauses } from './values/policy.ts'

/** Policies in force, one per project. A project without a row has the open policy. */
export const policies = pgTable(
  'policies',
  {
    projectId: integer('project_id')
      .primaryKey()
      .references(() => projects.id, { onDelete: 'cascade' }),
    accountId: accountId(),
    version: integer('version').notNull(),
    needsApproval: text('needs_approval', { enum: APPROVAL_NEEDS }).notNull().default('off'),
    /** Each change of an adopted post needs an approval, whatever `needs_approval` says. */
    approveAdopted: boolean('approve_adopted').notNull().default(true),
    /** Null: no limit. */
    maxPublicationsPerDay: integer('max_publications_per_day'),
    /** `HH:MM` on the clock of `timezone`. Both or none. */
    quietFrom: text('quiet_from'),
    quietTo: text('quiet_to'),
    /** Null: every target. An empty list: none. */
    allowedTargets: text('allowed_targets').array(),
    monthlyArticleCredits: integer('monthly_article_credits'),
    monthlyCrowdworkCents: integer('monthly_crowdwork_cents'),
    frozen: boolean('frozen').notNull().default(false),
    /** Time zone of the quiet hours and of the days; null: the project's. Only people change it. */
    timezone: text('timezone'),
    changedBy: text('changed_by').notNull(),
    changedAt: instant('changed_at').notNull(),
  },
  (t) => [
    check('policies_needs_approval_check', oneOf(t.needsApproval, APPROVAL_NEEDS)),
    check('policies_quiet_hours_check', sql`(${t.quietFrom} is null) = (${t.quietTo} is null)`),
  ],
)

/** All versions of a project's policy: its clauses, who set them and when. */
export const policyVersions = pgTable(
  'policy_versions',
  {
    projectId: integer('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    clauses: jsonb('clauses').$type<PolicyClauses>().notNull(),
    changedBy: text('changed_by').notNull(),
    changedAt: instant('changed_at').notNull(),
  },
  (t) => [primaryKey({ name: 'policy_versions_pkey', columns: [t.projectId, t.version] })],
)

/** People who decide the approvals of a project while its owner is away, at most one per project. Only an owner names them. */
export const deputies = pgTable(
  'deputies',
  {
    projectId: integer('project_id')
      .primaryKey()
      .references(() => projects.id, { onDelete: 'cascade' }),
    accountId: accountId(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    /** Address of the owner who is away. */
    namedBy: text('named_by').notNull(),
    /** End of the owner's last day away. */
    awayUntil: instant('away_until').notNull(),
    namedAt: instant('named_at').notNull(),
  },
  (t) => [index('deputies_account').on(t.accountId), index('deputies_person').on(t.personId)],
)

/** Returns the condition that a person is the deputy of a project now. */
export const isDeputyNow = (personId: SQLWrapper, projectId: SQLWrapper): SQL =>
  sql`exists (select 1 from deputies d where d.project_id = ${projectId} and d.person_id = ${personId} and d.away_until > now())`
