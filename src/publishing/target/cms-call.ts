import * as z from 'zod/mini'
import type { CmsResult } from './cms-adapter.ts'

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

/** Runs a call of a CMS; undefined where its adapter has none of that name. Never throws for what an adapter does. */
export type RunCmsCall = (call: z.infer<typeof CmsCallBody>) => Promise<CmsResult<unknown> | undefined>
