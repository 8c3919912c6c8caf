import { withRequestId } from '../../src/platform/lib/request-scope.ts'
import { parseOutboundEnv } from '../../src/platform/runtime/env.ts'
import { createLog } from '../../src/platform/runtime/log.ts'
import { createOutbound, userAgentOf } from '../../src/platform/runtime/outbound.ts'
import { cmsRunner } from '../../src/providers/cms/adapter.ts'
import type { CmsDeps } from '../../src/providers/cms/http.ts'
import { CMS_ADAPTERS } from '../../src/providers/platforms.ts'
import { cmsApp } from './app.ts'

const build = (env: unknown) => {
  const { allowPrivateHosts, dnsQueryUrl, serviceName, publicUrl, retryTimeScale } = parseOutboundEnv(env)
  const now = () => new Date()
  const log = createLog({ worker: 'cms' })
  const deps: CmsDeps = {
    outbound: createOutbound({
      allowLoopback: allowPrivateHosts,
      dnsQueryUrl,
      userAgent: userAgentOf({ serviceName, publicUrl }),
      log,
      now,
    }),
    now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms / retryTimeScale)),
    serviceName,
    publicUrl,
  }
  return cmsApp(
    cmsRunner((connection, watch) => CMS_ADAPTERS[connection.platform]?.(connection, { ...deps, watch }), log),
  )
}

let app: ReturnType<typeof build> | undefined

export default {
  fetch: withRequestId((request, env) => {
    app ??= build(env)
    return app.fetch(request)
  }),
} satisfies ExportedHandler
