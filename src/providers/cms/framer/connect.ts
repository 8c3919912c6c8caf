import * as z from 'zod/mini'
import { noBlanks } from '../../../platform/lib/fields.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { jsonOf, type Opened, optionalFields, textsOf, token } from '../fields.ts'
import { type Got, got, misfit } from '../http.ts'
import { type Mapping, mapFields, PARTS } from './mapping.ts'
import type { FramerSession } from './port.ts'
import type { Deployments } from './transform.ts'

/** Returns the project's id from its address (`https://framer.com/projects/Name--<20 letters and digits>`) or from the id itself. */
const projectId = (text: string): string | undefined => {
  const path = URL.canParse(text) ? new URL(text).pathname : `/${text}`
  return /(?:--|\/)([A-Za-z0-9]{20})(?:[-/]|$)/.exec(path)?.[1]
}

const isFramer = (text: string): boolean => !URL.canParse(text) || /(^|\.)framer\.com$/.test(new URL(text).hostname)

/** A field's name or id. With an empty one this part of an article is not written. */
const fieldName = z.string().check(z.trim(), z.maxLength(200))

const ChosenFields = optionalFields(PARTS, fieldName)

const Fields = z.object({
  project_url: z.pipe(
    z.string().check(
      z.trim(),
      z.maxLength(500),
      noBlanks(),
      z.refine((text) => isFramer(text) && projectId(text) !== undefined, {
        error: "must be the project's address (https://framer.com/projects/…) or its id of 20 letters and digits",
      }),
    ),
    z.transform((text: string) => `https://framer.com/projects/${projectId(text)}`),
  ),
  api_key: token(),
  collection: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  field_mapping: z.optional(ChosenFields),
  publish_site: z.optional(z.boolean()),
})

/** Connection form of Framer: the project, its key, the collection, and whether each article publishes the whole site. */
export const framerConnection = {
  fields: Fields,
  connection: (given: Record<string, unknown>): Opened => {
    const { project_url, field_mapping, publish_site, ...fields } = Fields.parse(given)
    return {
      url: project_url,
      urlField: 'project_url',
      name: `Framer collection ${fields.collection}`,
      secrets: textsOf({
        ...fields,
        field_mapping: field_mapping && JSON.stringify(field_mapping),
        publish_site: publish_site ? 'true' : undefined,
      }),
    }
  },
}

/** The connected collection, and its fields for the parts of an article. */
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

/** Reads the facts that decide where readers find an item, and whether they see it yet. */
export const readDeployments = async (session: FramerSession, setting: Setting): Promise<Deployments> => ({
  site: await session.site(),
  path: await session.detailPath(setting.collectionId),
  isPublishing: setting.isPublishing,
})
