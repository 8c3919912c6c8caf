import { eq, sql } from 'drizzle-orm'
import { integrations } from '../../../schema/integrations.ts'
import type { AnyPart, Part } from '../../platform/db/part.ts'
import { update } from '../../platform/db/write-parts.ts'

/** A part that notes a use of a target and the error it ended with, if `of` has a row. */
export const noteUse = (integrationId: number, error: string | null, of: AnyPart, now: Date): Part =>
  update(
    'used_target',
    integrations,
    { lastUsedAt: now, lastError: error },
    { where: sql`${eq(integrations.id, integrationId)} and ${of.hasRows}` },
  )
