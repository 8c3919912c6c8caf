import * as z from 'zod/mini'

/** Calls of the CMS port; those that change something first. */
export const CMS_WRITES = ['create', 'update', 'restore', 'unpublish', 'hostImage'] as const
const CMS_METHODS = [...CMS_WRITES, 'probe', 'find', 'read'] as const
export type CmsMethod = (typeof CMS_METHODS)[number]

/** One call of a CMS as the Workers that publish hand it to the Worker that holds the adapters. */
export const CmsCallBody = z.object({
  connection: z.object({
    id: z.number(),
    platform: z.string(),
    url: z.string(),
    secrets: z.record(z.string(), z.string()),
  }),
  method: z.enum(CMS_METHODS),
  args: z.array(z.unknown()),
})
