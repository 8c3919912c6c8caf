import { and, desc, eq, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../schema/columns.ts'
import { crowdworkCampaigns as campaigns } from '../../../schema/crowdwork.ts'
import { projects } from '../../../schema/projects.ts'
import type { CampaignStatus } from '../../../schema/values/crowdwork.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { newestIds, ownedRows, type Paging } from '../../platform/db/paging.ts'

const SHOWN = {
  id: campaigns.id,
  projectId: campaigns.projectId,
  campaignId: campaigns.campaignId,
  platform: campaigns.platform,
  title: campaigns.title,
  status: campaigns.status,
  availablePositions: campaigns.availablePositions,
  paymentCents: campaigns.paymentCents,
  createdAt: campaigns.createdAt,
}

const MAKING = {
  id: campaigns.id,
  accountId: campaigns.accountId,
  projectId: campaigns.projectId,
  stage: campaigns.stage,
  fingerprint: campaigns.fingerprint,
  mark: campaigns.mark,
  wanted: campaigns.wanted,
  title: campaigns.title,
  availablePositions: campaigns.availablePositions,
  paymentCents: campaigns.paymentCents,
  campaignId: campaigns.campaignId,
  templateId: campaigns.templateId,
  sentAt: campaigns.sentAt,
  leaseUntil: campaigns.leaseUntil,
  owedUntil: campaigns.owedUntil,
  createdAt: campaigns.createdAt,
  updatedAt: campaigns.updatedAt,
}

const mine = (owner: SQL) => sql<boolean>`coalesce(${campaigns.accountId} = ${owner}, false)`

/** Returns the account's campaigns, newest first, one more than the page shows. Those not made yet are left out. */
export const campaignRows = (
  db: Db,
  owner: SQL,
  filter: { projectId: number | undefined; statuses: readonly CampaignStatus[] | undefined },
  paging: Paging,
) =>
  db
    .select(SHOWN)
    .from(campaigns)
    .where(
      inArray(
        campaigns.id,
        newestIds(
          campaigns,
          [
            ownedRows(campaigns, owner, filter.projectId),
            sql`${campaigns.campaignId} is not null`,
            paging.beforeId === undefined ? undefined : lt(campaigns.id, paging.beforeId),
          ],
          paging,
          filter.statuses?.map((one) => oneOf(campaigns.status, [one])),
        ),
      ),
    )
    .orderBy(desc(campaigns.id))

export type CampaignRow = Awaited<ReturnType<typeof campaignRows>>[number]

/** Returns a campaign by the provider's id, of any account. */
export const campaignByProviderId = (db: Db, owner: SQL, campaignId: string) =>
  db
    .select({ ...SHOWN, mine: mine(owner) })
    .from(campaigns)
    .where(eq(campaigns.campaignId, campaignId))

/** Returns a campaign by its mark at the provider, of any account. */
export const campaignByMark = (db: Db, owner: SQL, mark: string) =>
  db
    .select({ ...MAKING, mine: mine(owner) })
    .from(campaigns)
    .where(eq(campaigns.mark, mark))

/** Returns a condition: the campaign belongs to the account of a project. */
const isOfAccount = (projectId: number): SQL =>
  eq(campaigns.accountId, sql`(select ${projects.accountId} from ${projects} where ${projects.id} = ${projectId}::int)`)

/** Selects the unfinished campaign of the same call, in the account of a project. */
export const openCampaign = (db: Db, projectId: number, fingerprint: string) =>
  db
    .select(MAKING)
    .from(campaigns)
    .where(
      and(
        isOfAccount(projectId),
        eq(campaigns.fingerprint, fingerprint),
        inArray(campaigns.stage, ['making', 'failed']),
      ),
    )

/**
 * Returns one campaign of a project's account that shows how the provider answers; no row if nothing is known yet.
 *
 * The provider has the campaign, or refused it with one position, since it may require more.
 */
export const triedCampaign = (db: Db, projectId: number) =>
  db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(
      and(
        isOfAccount(projectId),
        or(
          sql`${campaigns.campaignId} is not null`,
          and(eq(campaigns.stage, 'failed'), eq(campaigns.availablePositions, 1)),
        ),
      ),
    )
    .limit(1)

export type MakingRow = Awaited<ReturnType<typeof openCampaign>>[number]

/** Returns the newest campaign that the same call of a project has made. */
export const newestMade = (db: Db, projectId: number, fingerprint: string) =>
  db
    .select(MAKING)
    .from(campaigns)
    .where(
      and(
        eq(campaigns.projectId, projectId),
        sql`${campaigns.campaignId} is not null`,
        eq(campaigns.fingerprint, fingerprint),
      ),
    )
    .orderBy(desc(campaigns.id))
    .limit(1)

/** Returns a campaign that is being made, for the job that settles it. */
export const campaignInCreationById = (db: Db, owner: SQL, id: number) =>
  db
    .select(MAKING)
    .from(campaigns)
    .where(and(eq(campaigns.id, id), eq(campaigns.accountId, owner)))

/** Returns a project's budget, and the money set aside between two instants, in cents; one row. */
export const spendOf = (db: Db, projectId: number, start: Date, end: Date) =>
  db.execute<{ budget: number | null; committed: number; campaigns: number }>(sql`
    select p.crowdwork_budget as budget, coalesce(sum(c.cost_cents), 0)::int as committed, count(c.id)::int as campaigns
    from projects p left join crowdwork_campaigns c on c.project_id = p.id and c.stage in ('making', 'made')
      and c.charged_at >= ${at(start)} and c.charged_at < ${at(end)}
    where p.id = ${projectId}::int group by p.id`)

/** Returns a new id for a campaign. */
export const nextCampaignId = (db: Db) =>
  db.execute<{ id: string }>(sql`select nextval('crowdwork_campaigns_id_seq') as id`)

/** Returns the account's oldest active project. */
export const firstProject = (db: Db, owner: SQL) =>
  db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.accountId, owner), eq(projects.status, 'Active')))
    .orderBy(projects.id)
    .limit(1)
