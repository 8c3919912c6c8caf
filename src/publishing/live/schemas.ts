import * as z from 'zod/mini'
import { readerFields, UpdateArticle } from '../../content/articles/operations.ts'
import { askedUrl, id } from '../../platform/lib/fields.ts'

/** Body of `POST /articles/:id/rollback`; without a version the latest kept one is put back. */
export const RollbackArticle = z.object({ version_id: z.optional(id()) })

/** Body of `POST /articles/:id/sync`: the edits, any subset; none sends what is saved. */
export const SyncArticle = z.object(readerFields())

/** Body of `POST /articles/:id/address`: where readers find the post. */
export const AddressArticle = z.object({ url: askedUrl() })

export type SyncArticleInput = z.infer<typeof SyncArticle>
export type RollbackArticleInput = z.infer<typeof RollbackArticle>

/** Body of `PUT /articles/:id`: any subset; `sync` also sends the changes of a published article. */
export const EditArticle = z.object({ ...UpdateArticle.shape, sync: z.optional(z.boolean()) })

/** Body of a restore; `sync` also sends the version of a published article. */
export const RestoreArticle = z.object({ sync: z.optional(z.boolean()) })

export type EditArticleInput = z.infer<typeof EditArticle>
export type RestoreArticleInput = z.infer<typeof RestoreArticle>
