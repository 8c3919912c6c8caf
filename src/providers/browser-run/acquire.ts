import { ok, wrong } from '../../platform/jobs/provider-ask.ts'
import type { Checked } from '../../platform/jobs/provider-check.ts'
import { type Connection, connectionOver, refusalOf, type Socket } from './connection.ts'

type Binding = { fetch: typeof fetch }

/** Opened browser, or why there is none now. */
export type Acquired = { kind: 'open'; connection: Connection } | { kind: 'away'; reason: string }

/** The binding accepts any host. */
const HOST = 'https://browser.run'

const ACQUIRE_TIMEOUT_MS = 20_000

/**
 * Opens a session at Cloudflare Browser Run through its binding, then a WebSocket for the DevTools protocol. `@cloudflare/puppeteer` 1.4
 * does the same.
 *
 * The session ends with `Browser.close`, or after a minute without commands.
 */
export const acquireBrowser = async (binding: Binding): Promise<Acquired> => {
  try {
    const signal = AbortSignal.timeout(ACQUIRE_TIMEOUT_MS)
    const acquired = await binding.fetch(`${HOST}/v1/devtools/browser`, { method: 'POST', signal })
    if (!acquired.ok) return { kind: 'away', reason: await refusalOf(acquired) }
    const { sessionId } = (await acquired.json()) as { sessionId: string }
    const opened = await binding.fetch(`${HOST}/v1/devtools/browser/${sessionId}`, {
      headers: { Upgrade: 'websocket' },
    })
    const socket = opened.webSocket
    if (!socket) return { kind: 'away', reason: `Browser Run answered ${opened.status} to a connection.` }
    socket.accept()
    return { kind: 'open', connection: connectionOver(socket as unknown as Socket) }
  } catch {
    return { kind: 'away', reason: 'Browser Run did not answer.' }
  }
}

/** Checks Browser Run: opens a browser, reads its version and closes it. */
export const checkBrowserRun = async (binding: { fetch: typeof fetch } | undefined): Promise<Checked> => {
  const cost = 'some seconds of browser time'
  if (!binding) return wrong('the Worker has no browser', 'Deploy again with the binding BROWSER.', cost)
  const acquired = await acquireBrowser(binding)
  if (acquired.kind === 'away')
    return wrong(
      acquired.reason,
      "Look at Browser Run in the dashboard: the plan's hours and browsers at once are limited.",
      cost,
    )
  const { connection } = acquired
  try {
    const { product } = await connection.send('Browser.getVersion')
    return ok(String(product), cost)
  } catch {
    return wrong('the browser does not answer', 'Check again later.', cost)
  } finally {
    connection.notify('Browser.close')
    connection.close()
  }
}
