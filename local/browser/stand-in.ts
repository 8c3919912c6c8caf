import { readFileSync } from 'node:fs'

type Params = Record<string, unknown>
type Command = { id: number; method: string; params?: Params; sessionId?: string }

/** Picture of 1280 × 800 pixels that says that no browser is installed. */
const PICTURE = readFileSync(new URL('no-browser.png', import.meta.url)).toString('base64')

const TIMEOUT_MS = 15_000

const plain = (html: string): string =>
  html
    .replaceAll(/<(script|style|template)\b[\s\S]*?<\/\1>/gi, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&amp;/g, '&')
    .replaceAll(/&[a-z]+;|&#\w+;/gi, ' ')

/** Returns the findings of the page's script: see `Findings` of the adapter. */
const findingsOf = (html: string) => ({
  title: plain(/<title[^>]*>([\s\S]*?)<\/title>/i.exec(html)?.[1] ?? ''),
  text: plain(html),
  named: [...html.matchAll(/\b(?:alt|content|aria-label)="([^"]*)"/gi)].map((match) => match[1]).join('\n'),
  frames: [],
  banner: false,
})

const errorText = (error: unknown): string => {
  const { name, cause } = error as Error & { cause?: { code?: string } }
  if (name === 'TimeoutError') return 'net::ERR_TIMED_OUT'
  return cause?.code === 'ENOTFOUND' ? 'net::ERR_NAME_NOT_RESOLVED' : 'net::ERR_CONNECTION_REFUSED'
}

/**
 * Replaces a browser on a machine that has none: fetches the page, and returns a fixed picture that says so.
 *
 * So the page's status and text are real. It knows only the DevTools commands that a capture sends.
 */
export const standInBrowser = (send: (message: object) => void): ((text: string) => Promise<void>) => {
  let findings = findingsOf('')
  const navigate = async (url: string, sessionId: string | undefined): Promise<Params> => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      findings = findingsOf(await response.text())
      const { status, headers } = response
      const seen = { type: 'Document', frameId: 'page', response: { status, headers: Object.fromEntries(headers) } }
      send({ method: 'Network.responseReceived', params: seen, sessionId })
      send({ method: 'Page.loadEventFired', params: {}, sessionId })
      return { frameId: 'page' }
    } catch (error) {
      return { frameId: 'page', errorText: errorText(error) }
    }
  }
  const answer = async ({ method, params = {}, sessionId }: Command): Promise<Params> => {
    if (method === 'Browser.getVersion') return { product: 'Galley-no-browser/1.0' }
    if (method === 'Target.createTarget') return { targetId: 'page' }
    if (method === 'Target.attachToTarget') return { sessionId: 'page' }
    if (method === 'Page.navigate') return await navigate(String(params.url), sessionId)
    if (method === 'Runtime.evaluate') return { result: { type: 'object', value: findings } }
    if (method === 'Page.captureScreenshot') return { data: PICTURE }
    return {}
  }
  return async (text) => {
    const command = JSON.parse(text) as Command
    send({
      id: command.id,
      result: await answer(command),
      ...(command.sessionId ? { sessionId: command.sessionId } : {}),
    })
  }
}
