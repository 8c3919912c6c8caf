import type { Connection } from '../../../publishing/target/publish-target.ts'
import { jsonOf } from '../fields.ts'
import { type Got, got, misfit } from '../http.ts'
import { ChosenFields } from './connect.ts'
import { type Mapping, mapFields } from './mapping.ts'
import type { FramerSession } from './port.ts'
import type { Around } from './transform.ts'

/** The collection as it is now and where an article's parts go in it. */
export type Setting = { collectionId: string; mapping: Mapping; isPublishing: boolean }

/** Finds the connected collection by id or name, and maps its fields. */
export const readSetting = async (
  session: FramerSession,
  { secrets }: Connection,
  serviceName: string,
): Promise<Got<Setting>> => {
  const { collection: wanted = '' } = secrets
  const all = await session.collections()
  const found =
    all.find((one) => one.id === wanted) ?? all.find((one) => one.name.toLowerCase() === wanted.toLowerCase())
  if (!found)
    return misfit(
      `collection: the project has no "${wanted}". It has: ${all.map((one) => one.name).join(', ') || 'none'}.`,
    )
  if (!found.isWritable) return misfit(`collection: "${found.name}" belongs to a plugin, so only that may write to it.`)
  const chosen = ChosenFields.safeParse(jsonOf(secrets.field_mapping) ?? {})
  const mapped = mapFields(await session.fields(found.id), chosen.success ? chosen.data : {}, {
    serviceName,
    titleFieldId: found.titleFieldId,
  })
  if ('problem' in mapped) return misfit(mapped.problem)
  return got({ collectionId: found.id, mapping: mapped.mapping, isPublishing: secrets.publish_site === 'true' })
}

/** Reads the facts that decide where readers find an item, and if they see it yet. */
export const readAround = async (session: FramerSession, setting: Setting): Promise<Around> => ({
  site: await session.site(),
  path: await session.detailPath(setting.collectionId),
  isPublishing: setting.isPublishing,
})
