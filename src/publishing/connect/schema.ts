import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { notRead } from '../adopt/rules.ts'
import { openTarget } from '../target/open.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { loadIntegration } from './integrations.ts'

/**
 * Reads the fields of the posts at an integration's platform, with the part of an article that fills each.
 *
 * Throws 404, 403, 400 for a platform whose posts have no own fields, and 422 or 503 if the platform cannot be read.
 */
export const showSchema = async (ctx: Ctx, targets: TargetFactory, id: number) => {
  const row = await loadIntegration(ctx, id)
  const target = await openTarget(ctx, targets, row)
  if (!target?.schema)
    throw new ApiError('unsupported_platform', `Posts of ${row.platform} have no fields of their own that can be set.`)
  const read = await target.schema()
  if (read.kind !== 'done') throw notRead(row.platform, read)
  const { collection, fields } = read.value
  return {
    integration_id: id,
    platform: row.platform,
    collection,
    fields: fields.map((field) => ({
      name: field.name,
      label: field.label ?? field.name,
      type: field.type,
      native_type: field.nativeType,
      required: field.isRequired,
      filled_by: field.filledBy ?? null,
      settable: field.type !== 'other' && field.filledBy === undefined,
      ...(field.maxLength === undefined ? {} : { max_length: field.maxLength }),
      ...(field.min === undefined ? {} : { min: field.min }),
      ...(field.max === undefined ? {} : { max: field.max }),
      ...(field.choices === undefined ? {} : { choices: field.choices }),
    })),
    ...(read.notes?.length ? { warning: read.notes.join(' ') } : {}),
  }
}
