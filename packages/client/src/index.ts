import {
  type Client,
  createClient,
  OPERATIONS,
  type OperationContext,
  type OperationId,
  type OperationPath,
  type OperationTag,
  type Ops,
} from './api.generated.ts'
import { configOf, type GalleyOptions } from './config.ts'

export type * from './api.generated.ts'
export { OPERATIONS } from './api.generated.ts'
export type { GalleyOptions } from './config.ts'
export { type Code, type Detail, GalleyError, type NextCall } from './error.ts'
export { each, type PagedOperation, pages, type Row } from './pages.ts'

/** One method for each operation, named as in the API's description: `galley.articlesPublish({ path: { id: 43 } })`. */
export type Galley = Client<Ops, OperationContext<OperationId, OperationPath, OperationTag>>

/**
 * Returns a client of the service. A refused call throws `GalleyError`.
 *
 * Each POST has an `Idempotency-Key`, so that a repeat has no second effect.
 */
export const createGalley = (options: GalleyOptions): Galley =>
  createClient<Ops, OperationId, OperationPath, OperationTag>(OPERATIONS, configOf(options))
