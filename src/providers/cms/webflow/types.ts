import * as z from 'zod/mini'

const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))

/** Error of the Data API. `details` has objects or plain texts. */
export const WebflowError = z.object({
  code: maybe(z.string()),
  message: maybe(z.string()),
  details: maybe(
    z.array(z.union([z.string(), z.object({ param: maybe(z.string()), description: maybe(z.string()) })])),
  ),
})

export const WebflowSite = z.object({
  id: z.string(),
  displayName: maybe(z.string()),
  shortName: z.string(),
  customDomains: maybe(z.array(z.object({ url: z.string() }))),
  lastPublished: maybe(z.string()),
})

export const WebflowField = z.object({
  id: maybe(z.string()),
  slug: z.string(),
  type: z.string(),
  displayName: maybe(z.string()),
  isRequired: maybe(z.boolean()),
  isEditable: maybe(z.boolean()),
  validations: maybe(
    z.looseObject({
      collectionId: maybe(z.string()),
      maxLength: z.catch(maybe(z.number()), undefined),
      format: z.catch(maybe(z.string()), undefined),
      minValue: z.catch(maybe(z.number()), undefined),
      maxValue: z.catch(maybe(z.number()), undefined),
      singleLine: z.catch(maybe(z.boolean()), undefined),
      options: maybe(z.array(z.object({ id: z.string(), name: z.string() }))),
    }),
  ),
})

export const WebflowCollection = z.object({
  id: z.string(),
  displayName: maybe(z.string()),
  slug: z.string(),
  fields: z.array(WebflowField),
})

export const WebflowCollections = z.object({
  collections: z.array(z.object({ id: z.string(), displayName: maybe(z.string()), slug: maybe(z.string()) })),
})

export const WebflowToken = z.object({ authorization: z.object({ scope: maybe(z.string()) }) })

export const WebflowItem = z.object({
  id: z.string(),
  lastPublished: maybe(z.string()),
  lastUpdated: maybe(z.string()),
  createdOn: maybe(z.string()),
  isArchived: maybe(z.boolean()),
  isDraft: maybe(z.boolean()),
  fieldData: z.record(z.string(), z.unknown()),
})

export const WebflowItems = z.object({
  items: z.array(WebflowItem),
  pagination: maybe(z.object({ total: maybe(z.number()) })),
})

export const WebflowPublished = z.object({
  publishedItemIds: maybe(z.array(z.string())),
  errors: maybe(z.array(z.unknown())),
})

export const WebflowAsset = z.object({
  id: z.string(),
  uploadUrl: z.string(),
  uploadDetails: z.record(z.string(), z.unknown()),
  hostedUrl: z.string(),
})

export type WebflowError = z.infer<typeof WebflowError>
export type WebflowSite = z.infer<typeof WebflowSite>
export type WebflowField = z.infer<typeof WebflowField>
export type WebflowCollection = z.infer<typeof WebflowCollection>
export type WebflowItem = z.infer<typeof WebflowItem>
export type WebflowAsset = z.infer<typeof WebflowAsset>
