import type { Connection } from '../../../publishing/target/publish-target.ts'
import { jsonOf } from '../fields.ts'
import { type Got, got, misfit } from '../http.ts'
import type { NotionApi } from './api.ts'
import { ChosenNames } from './connect.ts'
import { type Chosen, type Mapping, mapProperties } from './mapping.ts'

/** The database as it is now: the one table written to, and where an article's parts go in it. */
export type Setting = {
  name: string
  url: string | null
  dataSourceId: string
  /** The names of its tables; Notion's databases may have several. */
  tables: string[]
  mapping: Mapping
  chosen: Chosen
}

/** Asks once for the database and the properties of its first table. */
export const settingOf = (api: NotionApi, { secrets }: Connection, serviceName: string) => {
  let known: Setting | undefined
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
  return async (): Promise<Got<Setting>> => {
    if (known) return got(known)
    const setting = await load()
    if (setting.kind === 'got') known = setting.value
    return setting
  }
}
