import * as z from 'zod/mini'
import { noBlanks } from '../../../platform/lib/fields.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { apiUrl, jsonOf, type Opened, optionalFields, textsOf, token } from '../fields.ts'
import { type Got, got, misfit } from '../http.ts'
import { readOnce } from '../mapped-items.ts'
import type { NotionApi } from './api.ts'
import { type Chosen, type Mapping, mapProperties, PARTS } from './mapping.ts'

const API_URL = 'https://api.notion.com'

/** Returns the id from a page's or database's address (`…/Name-<32 digits>?v=…`) or from the id itself, with or without hyphens. */
const notionId = (text: string): string | undefined => {
  const path = URL.canParse(text) ? new URL(text).pathname : text
  return /([0-9a-f]{32})\/?$/i.exec(path.replace(/-/g, ''))?.[1]?.toLowerCase()
}

/** A property's or status's name. With an empty one this part of an article is not written. */
const propertyName = z.string().check(z.trim(), z.maxLength(200))

const ChosenNames = optionalFields([...PARTS, 'status_published', 'status_draft'], propertyName)

const Fields = z.object({
  integration_token: token(),
  database_id: z.pipe(
    z.string().check(
      z.trim(),
      z.maxLength(2_000),
      noBlanks(),
      z.refine((text) => notionId(text) !== undefined, {
        error: "must be the database's address or its id of 32 hexadecimal digits",
      }),
    ),
    z.transform((text: string) => notionId(text) ?? ''),
  ),
  property_mapping: z.optional(ChosenNames),
  api_url: z.optional(apiUrl()),
})

/** Connection form of Notion: an integration's token, the database shared with it, and properties that have unusual names. */
export const notionConnection = {
  fields: Fields,
  connection: (given: Record<string, unknown>): Opened => {
    const { api_url, property_mapping, ...fields } = Fields.parse(given)
    return {
      url: api_url ?? API_URL,
      urlField: 'api_url',
      name: `Notion database ${fields.database_id}`,
      secrets: textsOf({ ...fields, property_mapping: property_mapping && JSON.stringify(property_mapping) }),
    }
  },
}

/** The connected database: the table that is written to, and its properties for the parts of an article. */
export type Setting = {
  name: string
  url: string | null
  dataSourceId: string
  /** Names of the database's tables. A Notion database may have several. */
  tables: string[]
  mapping: Mapping
  chosen: Chosen
}

/** Returns a function that reads the database and the properties of its first table, once. */
export const settingOf = (api: NotionApi, { secrets }: Connection, serviceName: string) => {
  const load = async (): Promise<Got<Setting>> => {
    const database = await api.database(secrets.database_id ?? '')
    if (database.kind !== 'got') return database
    const { title, url, data_sources } = database.value
    const [first] = data_sources
    if (!first) return misfit('The database has no table of its own. Connect the original of a linked database.')
    const source = await api.dataSource(first.id)
    if (source.kind !== 'got') return source
    const parsed = ChosenNames.safeParse(jsonOf(secrets.property_mapping) ?? {})
    const chosen: Chosen = parsed.success ? parsed.data : {}
    const mapped = mapProperties(source.value, chosen, serviceName)
    if ('problem' in mapped) return misfit(mapped.problem)
    return got({
      name: title?.map((part) => part.plain_text).join('') || 'Notion database',
      url: url ?? null,
      dataSourceId: source.value.id,
      tables: data_sources.map((table) => table.name ?? table.id),
      mapping: mapped.mapping,
      chosen,
    })
  }
  return readOnce(load)
}
