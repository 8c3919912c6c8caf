import { PATHS } from '../../src/accounts/people/paths.ts'
import { routes } from '../../src/platform/http/route.ts'
import { etagOf, withTag } from '../../src/platform/lib/etag.ts'
import type { Ctx } from '../../src/platform/runtime/ctx.ts'
import { howToConnect, listCatalog, type Provided } from '../../src/publishing/connect/catalog.ts'
import { connectCmsSite, connectFollower, connectIntegration } from '../../src/publishing/connect/connect.ts'
import {
  disconnectFollower,
  disconnectIntegration,
  integrationRow,
  listIntegrations,
  listTargets,
  showIntegration,
  testIntegration,
  updateIntegration,
} from '../../src/publishing/connect/integrations.ts'
import { catalogOperations, integrationOperations } from '../../src/publishing/connect/operations.ts'
import { showSchema } from '../../src/publishing/connect/schema.ts'
import type { ConnectionForms, TargetFactory } from '../../src/publishing/target/publish-target.ts'

const integrations = (targets: TargetFactory, forms: ConnectionForms) =>
  routes(integrationOperations, {
    cmsSite: (ctx, { params, body }) => connectCmsSite(ctx, targets, forms, params.id, body),
    integrations: async (ctx, { query }) => {
      const { rows, page } = await listIntegrations(ctx, query)
      return { integrations: rows.map(integrationRow), ...page }
    },
    integration: async (ctx, { params }) => {
      const row = await showIntegration(ctx, params.id)
      return withTag({ integration: integrationRow(row) }, etagOf(row.updatedAt))
    },
    schema: (ctx, { params }) => showSchema(ctx, targets, params.id),
    changeIntegration: (ctx, { params, body }) => updateIntegration(ctx, params.id, body),
    connect: (ctx, { params, body }) => connectIntegration(ctx, targets, forms, params.id, body),
    targets: async (ctx, { params }) => ({ targets: (await listTargets(ctx, params.id)).map(integrationRow) }),
    follow: (ctx, { params, body }) => connectFollower(ctx, targets, forms, params.id, body),
    unfollow: (ctx, { params }) => disconnectFollower(ctx, params.id, params.target_id),
    test: (ctx, { params, body }) => testIntegration(ctx, targets, params.id, body),
    disconnect: (ctx, { params }) => disconnectIntegration(ctx, params.id),
  })

/** Addresses of the pages on which people connect services. */
const pagesOf = ({ settings: { publicUrl } }: Ctx) => ({
  integrations: publicUrl + PATHS.integrations,
  social: publicUrl + PATHS.social,
  providerKeys: publicUrl + PATHS.providerKeys,
})

const catalog = (social: Provided) =>
  routes(catalogOperations, {
    catalog: (ctx, { query }) => listCatalog(ctx, social, pagesOf(ctx), query),
    connect: (ctx, { query }) => howToConnect(ctx, social, pagesOf(ctx), query),
  })

/** Facts about providers that the operations of integrations use. */
export type Connecting = { targets: TargetFactory; forms: ConnectionForms; social: Provided }

/** Returns the operations of integrations. */
export const integrationRoutes = ({ targets, forms, social }: Connecting) => [
  ...integrations(targets, forms),
  ...catalog(social),
]
