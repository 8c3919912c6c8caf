import { ApiError } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { updateSettings } from './queries.ts'
import { getProject } from './read.ts'
import type { UpdateProjectInput } from './schemas.ts'
import { canonicalSettings, columnName, ignoredFields, isReadOnlySetting } from './settings.ts'
import { storable } from './storable.ts'

/**
 * Writes the given settings of a project and nothing else. Names that are not writable come back in `ignored` with a
 * sentence each. Throws 400 when no field is known, 404, 403.
 */
export const updateProject = async (ctx: Ctx, id: number, input: UpdateProjectInput) => {
  const given = canonicalSettings(input)
  const notes = ignoredFields(input)
  const settings = await ctx.check(() => {
    if (Object.keys(given).length === 0 && !Object.keys(notes).some(isReadOnlySetting))
      throw new ApiError('no_fields', 'The body has no project setting. Send at least one of the writable settings.')
    return storable(given, ctx.settings)
  })
  await getProject(ctx, id)
  const account = await ctx.account()
  const fields = Object.keys(settings)
  if (fields.length > 0) {
    const [changed] = await ctx.write(updateSettings(ctx, account.id, id, settings))
    if (!changed) throw new ApiError('not_found', 'The project does not exist.')
  }
  return {
    project_id: id,
    updated_fields: fields,
    updated_columns: [...new Set(fields.map(columnName))],
    message:
      fields.length > 0 ? `Updated ${fields.join(', ')}.` : 'Nothing was updated: none of the fields can be written.',
    ignored: Object.keys(notes),
    notes,
  }
}
