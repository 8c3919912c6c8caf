import { eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { projects } from '../../../schema/projects.ts'
import type { Part } from '../../platform/db/part.ts'
import { update } from '../../platform/db/write-parts.ts'

/**
 * A part that adds to the backlink credits of projects what each row of `credits` says. What is taken back from a project that
 * has spent it becomes its debt, which is paid from what it gets next: no balance goes below zero.
 */
export const addBacklinkCredits = (credits: Part<'projectId' | 'delta'>): Part => {
  const net = sql`${projects.backlinkCredits} - ${projects.backlinkDebt} + ${credits.c.delta}`
  return update(
    'credited_projects',
    projects,
    { backlinkCredits: sql`greatest(${net}, 0)`, backlinkDebt: sql`greatest(-(${net}), 0)` },
    { from: [credits], where: eq(projects.id, credits.c.projectId) },
  )
}

/** Condition: the row belongs to no project that an import still writes. An account has one import at a time. */
export const isNotImporting = (projectId: AnyPgColumn, owner: SQL): SQL =>
  sql`${projectId} is distinct from (select i.project_id from project_imports i where i.account_id = ${owner} and i.state = 'importing')`
