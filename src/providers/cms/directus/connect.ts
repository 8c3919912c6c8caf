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
  type StateValues,
  stateValues,
  type TargetField,
  whichFit,
} from '../mapped-fields.ts'
import { readOnce } from '../mapped-items.ts'
import type { DirectusApi, DirectusField, KeyField } from './api.ts'
import { isKeyChosen, keyOf, stampedBy, toTargetField } from './fields.ts'

/** Returns a project's address without the part of the app that people copy with it. */
const projectUrl = (url: string): string => url.replace(/\/admin(?:\/.*)?$/, '')

const Fields = z.object({
  api_url: z.pipe(fetchablePrefix(), z.transform(projectUrl)),
  access_token: token(),
  collection: z.optional(
    z.string().check(
      z.trim(),
      z.refine((name) => /^(?!directus_)\w{1,200}$/.test(name), {
        error: 'must be the name of a collection of your own: letters, digits and _',
      }),
    ),
  ),
  field_mapping: z.optional(ChosenFields),
  url_prefix: z.optional(addressPrefix()),
})

/** Connection form of Directus: the project, a static token, the collection, and fields and addresses that are unusual. */
export const directusConnection = {
  fields: Fields,
  connection: (given: Record<string, unknown>): Opened => {
    const { api_url, field_mapping, ...fields } = Fields.parse(given)
    return {
      url: api_url,
      urlField: 'api_url',
      name: `${new URL(api_url).host}${fields.collection ? ` (${fields.collection})` : ''}`,
      secrets: textsOf({ ...fields, field_mapping: field_mapping && JSON.stringify(field_mapping) }),
    }
  },
}

/**
 * The connected collection: its key, its fields for the parts of an article, and the values of its states. Every item is written with one
 * of them, because what Directus or a role sets by default may be either.
 */
export type Setting = {
  collection: string
  key: KeyField
  mapping: Mapping & { status: TargetField }
  /** All fields of the collection. */
  fields: readonly TargetField[]
  states: StateValues
  /** Fields with the times of an item's creation and last change, which Directus fills in. */
  createdAt: string | undefined
  changedAt: string | undefined
  urlPrefix: string | undefined
}

/** Returns the use of a collection's fields, or why articles cannot be put there. */
const useOf = (
  collection: string,
  all: readonly DirectusField[],
  chosen: Chosen,
  serviceName: string,
): Omit<Setting, 'urlPrefix'> | { problem: string } => {
  const fields = all.filter((field) => field.collection === collection)
  const key = keyOf(fields)
  if (!key) return { problem: `The collection "${collection}" has no primary key that the token may read.` }
  const around = { serviceName, parts: MAPPED_PARTS, isFoundById: isKeyChosen(key) }
  const targets = fields.map(toTargetField)
  const mapped = mapFields(targets, chosen, around)
  if ('problem' in mapped) return mapped
  const { status } = mapped.mapping
  if (!status)
    return {
      problem:
        'The collection has no field that says if an article is public. Add a field "status" with the values draft and published, or name one in field_mapping.status.',
    }
  const states = stateValues(status, chosen)
  if ('problem' in states) return states
  return {
    collection,
    key,
    mapping: { ...mapped.mapping, status },
    fields: targets,
    states,
    createdAt: stampedBy(fields, 'date-created'),
    changedAt: stampedBy(fields, 'date-updated'),
  }
}

/** Returns the refusal of a connection without a collection. It names those that fit, with the use of their fields. */
const collectionNeeded = async (api: DirectusApi, serviceName: string): Promise<CmsFailure> => {
  const fields = await api.allFields()
  if (fields.kind !== 'got') return fields
  const all = fields.value.data
  const names = [...new Set(all.map(({ collection }) => collection))].filter((name) => !name.startsWith('directus_'))
  return misfit(
    whichFit(
      'collection',
      names.map((name) => ({ name, use: useOf(name, all, {}, serviceName) })),
    ),
  )
}

/** Returns a function that reads the collection's fields, once. */
export const settingOf = (api: DirectusApi, { secrets }: Connection, serviceName: string) => {
  const load = async (): Promise<Got<Setting>> => {
    const { collection, url_prefix } = secrets
    if (!collection) return await collectionNeeded(api, serviceName)
    const fields = await api.fields(collection)
    if (fields.kind !== 'got') return fields
    const chosen = ChosenFields.safeParse(jsonOf(secrets.field_mapping) ?? {})
    const use = useOf(collection, fields.value.data, chosen.success ? chosen.data : {}, serviceName)
    return 'problem' in use ? misfit(use.problem) : got({ ...use, urlPrefix: url_prefix })
  }
  return readOnce(load)
}
