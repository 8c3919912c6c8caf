import * as z from 'zod/mini'
import { noBlanks } from '../../../platform/lib/fields.ts'
import { apiUrl, type Opened, optionalFields, textsOf, token } from '../fields.ts'
import { PARTS } from './mapping.ts'

const API_URL = 'https://api.notion.com'

/** Returns the id in a page's or database's address (`…/Name-<32 digits>?v=…`) or as such, with or without hyphens. */
const notionId = (text: string): string | undefined => {
  const path = URL.canParse(text) ? new URL(text).pathname : text
  return /([0-9a-f]{32})\/?$/i.exec(path.replace(/-/g, ''))?.[1]?.toLowerCase()
}

/** Returns the name of a property, or of a status; empty: this part of an article goes nowhere. */
const propertyName = () => z.string().check(z.trim(), z.maxLength(200))

export const ChosenNames = optionalFields([...PARTS, 'status_published', 'status_draft'], propertyName)

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

/** Form for connecting Notion: an integration's token, the database shared with it, and the properties that differ from the usual. */
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
