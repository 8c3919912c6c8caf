import * as z from 'zod/mini'
import type { CmsFailure } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { addressPrefix, fetchablePrefix, jsonOf, type Opened, textsOf, token } from '../fields.ts'
import { type Got, got, misfit } from '../http.ts'
import {
  type Chosen,
  ChosenFields,
  MAPPED_PARTS,
  type Mapping,
  mapFields,
  type TargetField,
  whichFit,
} from '../mapped-fields.ts'
import { readOnce } from '../mapped-items.ts'
import type { StrapiApi, StrapiContentType } from './api.ts'
import { targetFields } from './fields.ts'

/** Returns a site's address without the part of the panel or the API that people copy with it. */
const siteUrl = (url: string): string => url.replace(/\/(?:admin|api)(?:\/.*)?$/, '')

const Fields = z.object({
  api_url: z.pipe(fetchablePrefix(), z.transform(siteUrl)),
  api_token: token(),
  content_type: z.optional(
    z.string().check(
      z.trim(),
      z.refine((name) => /^[a-z][a-z0-9-]{0,99}$/.test(name), {
        error: 'must be the plural API ID of a collection type, such as posts',
      }),
    ),
  ),
  field_mapping: z.optional(ChosenFields),
  url_prefix: z.optional(addressPrefix()),
  admin_token: z.optional(token()),
})

/** Connection form of Strapi: the site, an API token, the content type, and fields and addresses that are unusual. */
export const strapiConnection = {
  fields: Fields,
  connection: (given: Record<string, unknown>): Opened => {
    const { api_url, field_mapping, ...fields } = Fields.parse(given)
    return {
      url: api_url,
      urlField: 'api_url',
      name: `${new URL(api_url).host}${fields.content_type ? ` (${fields.content_type})` : ''}`,
      secrets: textsOf({ ...fields, field_mapping: field_mapping && JSON.stringify(field_mapping) }),
    }
  },
}

/** Parts of an article that have fields. The state is none: a document has a draft and a published version. */
export const STRAPI_PARTS = MAPPED_PARTS.filter((part) => part !== 'status')

/** The connected content type, and its fields for the parts of an article. */
export type Setting = {
  uid: string
  plural: string
  mapping: Mapping
  /** All fields that people made. */
  fields: readonly TargetField[]
  /** Fields that answers leave out if they are not asked for. */
  populate: readonly string[]
  urlPrefix: string | undefined
}

/** Returns the use of a content type's fields, or why articles cannot be put there. */
const useOf = (
  type: StrapiContentType,
  chosen: Chosen,
  serviceName: string,
): Omit<Setting, 'urlPrefix'> | { problem: string } => {
  if (type.schema.draftAndPublish !== true)
    return { problem: 'The content type has no drafts. Switch on Draft & Publish in its settings.' }
  const fields = targetFields(type)
  const mapped = mapFields(fields, chosen, { serviceName, parts: STRAPI_PARTS, isFoundById: false })
  if ('problem' in mapped) return mapped
  const { image } = mapped.mapping
  return {
    uid: type.uid,
    plural: type.schema.pluralName ?? '',
    mapping: mapped.mapping,
    fields,
    populate: image?.kind === 'file' ? [image.name] : [],
  }
}

/** Returns the collection types that people made. */
const ownTypes = (types: readonly StrapiContentType[]): StrapiContentType[] =>
  types.filter(({ uid, schema }) => uid.startsWith('api::') && schema.kind === 'collectionType')

/** Returns the refusal of a connection without a content type of the site. It names those that fit, with the use of their fields. */
const typeNeeded = (types: readonly StrapiContentType[], serviceName: string): CmsFailure =>
  misfit(
    whichFit(
      'content_type',
      types.map((type) => ({ name: type.schema.pluralName ?? type.uid, use: useOf(type, {}, serviceName) })),
    ),
  )

/** Returns a function that reads the content type's fields, once. */
export const settingOf = (api: StrapiApi, { secrets }: Connection, serviceName: string) => {
  const load = async (): Promise<Got<Setting>> => {
    const answer = await api.contentTypes()
    if (answer.kind !== 'got') return answer
    const types = ownTypes(answer.value.data)
    const type = types.find(({ schema }) => schema.pluralName === secrets.content_type)
    if (!type) return typeNeeded(types, serviceName)
    const chosen = ChosenFields.safeParse(jsonOf(secrets.field_mapping) ?? {})
    const use = useOf(type, chosen.success ? chosen.data : {}, serviceName)
    return 'problem' in use ? misfit(use.problem) : got({ ...use, urlPrefix: secrets.url_prefix })
  }
  return readOnce(load)
}
