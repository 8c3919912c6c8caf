import type { Browser } from '../../src/insights/screenshots/port.ts'
import { withRequestId } from '../../src/platform/lib/request-scope.ts'
import { parseOutboundEnv } from '../../src/platform/runtime/env.ts'
import { createLog, errorFields } from '../../src/platform/runtime/log.ts'
import { createGuard, userAgentOf } from '../../src/platform/runtime/outbound.ts'
import { checkBrowserRun } from '../../src/providers/browser-run/acquire.ts'
import { browserRun } from '../../src/providers/browser-run/capture.ts'
import { mainContent } from '../../src/providers/data/readability/index.ts'
import { answerLook } from './app.ts'

type Env = Record<string, unknown> & { BROWSER?: { fetch: typeof fetch } }

const log = createLog({ worker: 'browser' })

const build = (env: Env): Browser => {
  const deps = parseOutboundEnv(env)
  const { allowPrivateHosts, dnsQueryUrl } = deps
  const guard = createGuard({
    allowLoopback: allowPrivateHosts,
    dnsQueryUrl,
    userAgent: userAgentOf(deps),
    log,
    now: () => new Date(),
  })
  const binding = env.BROWSER
  if (!binding) return { capture: async () => ({ kind: 'away', reason: 'This deployment has no browser.' }) }
  return browserRun({ binding, guard, wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) })
}

let browser: Browser | undefined

export default {
  fetch: withRequestId(async (request, env: Env) => {
    try {
      if (new URL(request.url).pathname === '/check') return Response.json(await checkBrowserRun(env.BROWSER))
      browser ??= build(env)
      return await answerLook(browser, mainContent, request)
    } catch (error) {
      log('error', 'browser.failed', errorFields(error))
      return Response.json({ error: 'The page could not be captured.' }, { status: 500 })
    }
  }),
} satisfies ExportedHandler<Env>
