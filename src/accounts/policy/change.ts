import { and, eq, exists, type SQL, sql } from 'drizzle-orm'
import { policies, policyVersions } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import { APPROVAL_NEEDS, POLICY_TARGETS, type PolicyClauses } from '../../../schema/values/policy.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { ApiError, type FieldError } from '../../platform/lib/errors.ts'
import { isTimeZone, zoneName } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { columnsOf, policyHistory, readPolicy } from './read.ts'
import { OPEN_POLICY } from './rules.ts'

/** Largest numbers that a policy accepts. */
const MOST = { publications: 1_000, credits: 100_000, dollars: 1_000_000 }

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/** The fields of the policy form, as a browser sends them. */
type PolicyForm = Readonly<Record<string, string | undefined>>

/** Returns the clauses in the fields of the form, and an error for each field that is not valid. */
export const readPolicyForm = (form: PolicyForm): { clauses: PolicyClauses; wrong: FieldError[] } => {
  const wrong: FieldError[] = []
  const text = (name: string) => form[name]?.trim() ?? ''
  const number = (name: string, { least, most, whole }: { least: number; most: number; whole: boolean }) => {
    const sent = text(name)
    if (sent === '') return null
    const value = Number(sent)
    const isFit = (whole ? /^\d+$/ : /^\d+(\.\d{1,2})?$/).test(sent) && value >= least && value <= most
    if (isFit) return value
    const kind = whole ? 'a whole number' : 'dollars with at most two decimals'
    wrong.push({ field: name, message: `is ${kind} from ${least} to ${most}, or empty for no limit` })
    return null
  }
  const [from, to] = [text('quiet_from'), text('quiet_to')]
  const isTime = (value: string, name: string) => {
    if (value === '' || TIME.test(value)) return
    wrong.push({ field: name, message: 'is a time such as 22:00, or empty' })
  }
  isTime(from, 'quiet_from')
  isTime(to, 'quiet_to')
  if ((from === '') !== (to === ''))
    wrong.push({ field: from === '' ? 'quiet_from' : 'quiet_to', message: 'is missing: quiet hours need both times' })
  if (from !== '' && from === to)
    wrong.push({
      field: 'quiet_to',
      message: 'is the same time as the beginning; to stop everything, freeze the project',
    })
  const zone = zoneName(text('timezone'))
  if (zone !== '' && !isTimeZone(zone))
    wrong.push({ field: 'timezone', message: 'is not the name of a time zone; write it like Europe/Paris' })
  const approval = APPROVAL_NEEDS.find((need) => need === text('needs_approval'))
  if (approval === undefined)
    wrong.push({ field: 'needs_approval', message: 'is one of these', allowed: APPROVAL_NEEDS })
  const targets = POLICY_TARGETS.filter((target) => text(`target_${target}`) === 'yes')
  const clauses: PolicyClauses = {
    needs_approval: approval ?? 'off',
    approve_adopted: text('approve_adopted') === 'yes',
    max_publications_per_day: number('max_publications_per_day', { least: 0, most: MOST.publications, whole: true }),
    quiet_hours: from === '' || to === '' ? null : { from, to },
    allowed_targets: text('limit_targets') === 'yes' ? targets : null,
    monthly_budget: {
      article_credits: number('monthly_article_credits', { least: 0, most: MOST.credits, whole: true }),
      crowdwork_dollars: number('monthly_crowdwork_dollars', { least: 0, most: MOST.dollars, whole: false }),
    },
    frozen: text('frozen') === 'yes',
    timezone: zone === '' ? null : zone,
  }
  return { clauses, wrong }
}

/** Versions that the page of a policy shows. */
const SHOWN = 50

const conflict = (): ApiError =>
  new ApiError(
    'edit_conflict',
    'Somebody else changed the policy meanwhile. Nothing was saved. Look at it, then change it again.',
  )

/**
 * Sets the policy of a project, if `readVersion` is still the current version. Only for people. Returns the version now in force.
 *
 * A policy without a time zone keeps the one it has, or gets the project's. From then on the project's does not matter to it.
 *
 * Throws 404, 403, 409.
 */
export const changePolicy = async (
  ctx: Ctx,
  projectId: number,
  { readVersion, clauses: wanted }: { readVersion: number; clauses: PolicyClauses },
): Promise<number> => {
  const before = await readPolicy(ctx, projectId)
  const clauses = { ...wanted, timezone: wanted.timezone ?? before.clauses.timezone ?? before.timezone }
  if (before.version !== readVersion) throw conflict()
  if (JSON.stringify(before.clauses) === JSON.stringify(clauses)) return readVersion
  const { id: accountId } = await ctx.account()
  const now = ctx.now()
  const version = readVersion + 1
  const changed = { changedBy: ctx.actor(), changedAt: now }
  const row = { version, ...columnsOf(clauses), ...changed }
  const project = () =>
    ctx.db
      .select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.id, projectId), eq(projects.accountId, accountId)))
  const isInForce = and(
    exists(project()),
    sql`coalesce((select ${policies.version} from ${policies} where ${eq(policies.projectId, projectId)}), 0) = ${readVersion}::int`,
  ) as SQL
  const { kept } = await ctx.batch({
    // Batches that check the policy in several statements also lock the project, so that it does not change between them.
    project: project().for('no key update'),
    ...when(isInForce, {
      kept: (isMet) => insertWhere(policyVersions, { projectId, version, clauses, ...changed }, { if: isMet }),
      audit: audit(ctx, {
        account: accountId,
        action: 'project.policy',
        on: ['project', projectId],
        detail: { version, from: before.clauses, to: clauses },
      }),
      policies:
        readVersion === 0
          ? (isMet) => insertWhere(policies, { projectId, accountId, ...row }, { if: isMet })
          : (isMet) =>
              ctx.db
                .update(policies)
                .set(row)
                .where(and(eq(policies.projectId, projectId), isMet)),
    }),
  })
  if (kept.length === 0) throw conflict()
  return version
}

/** Returns the newest versions of the policy of a project of the account, the one in force first. */
export const listVersions = async (ctx: Ctx, projectId: number) => {
  const rows = await ctx.read(() => policyHistory(ctx.db, projectId, SHOWN))
  return rows
}

/**
 * Returns the statements that freeze an imported project if a condition is met. A person looks at what the archive says of it,
 * and turns the freeze off on the page of its policy.
 */
export const freezeImported = (
  ctx: Pick<Ctx, 'now' | 'db'>,
  { projectId, accountId, changedBy }: { projectId: number; accountId: number; changedBy: string },
  condition: SQL,
) => {
  const clauses = { ...OPEN_POLICY, frozen: true }
  const by = { version: 1, changedBy, changedAt: ctx.now() }
  const first = { projectId, ...by, clauses }
  return {
    version: insertWhere(policyVersions, first, {
      if: condition,
      onConflict: sql`(project_id, version) do update set clauses = jsonb_set(policy_versions.clauses, '{frozen}', 'true')`,
    }),
    policy: insertWhere(
      policies,
      { projectId, accountId, ...by, ...columnsOf(clauses) },
      { if: condition, onConflict: sql`(project_id) do update set frozen = true` },
    ),
  }
}
