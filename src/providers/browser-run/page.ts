import type { Connection } from './connection.ts'
import type { PageAnswer } from './judge.ts'

/** Size of the window in which pages are shown. */
export const VIEWPORT = { width: 1280, height: 800 }

/**
 * Script that runs in every frame before its own scripts. It removes dialogs, printing, windows and all connections except HTTP requests.
 *
 * The guard checks HTTP requests, and workers never start. What the browser itself would request for a page is removed, too:
 * payment manifests, sign-ins and speculation rules. Rules in the HTML are removed before the parser reaches their end.
 */
const QUIET = `
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) window[name] = () => null;
  for (const name of Object.getOwnPropertyNames(window)) if (/Socket|Transport|RTC|EventSource/.test(name)) delete window[name];
  for (const name of ['Worker', 'SharedWorker'])
    window[name] = class extends EventTarget { port = new MessageChannel().port1; postMessage() {} terminate() {} };
  for (const name of Object.getOwnPropertyNames(window)) if (/^Payment|Credential/.test(name)) delete window[name];
  for (const name of ['serviceWorker', 'credentials']) delete Navigator.prototype[name];
  const isRule = (type) => /^\\s*speculationrules\\s*$/i.test(type);
  const { set, get } = Object.getOwnPropertyDescriptor(HTMLScriptElement.prototype, 'type');
  Object.defineProperty(HTMLScriptElement.prototype, 'type', { get, set(type) { if (!isRule(type)) set.call(this, type); } });
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (name, value) { if (!isRule(value)) setAttribute.call(this, name, value); };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node instanceof HTMLScriptElement && isRule(node.type)) node.remove();
  }).observe(document, { childList: true, subtree: true });
`

/** A page in the browser, with the state of its network. */
export type Page = {
  session: string
  /** HTTP answer of the page's own address, after redirects; undefined until it arrives. */
  answer: () => PageAnswer | undefined
  hasContent: () => boolean
  isLoaded: () => boolean
  /** True if a frame shows a document that the guard did not let pass. Then the page is not pictured. */
  isForeign: () => boolean
  /** Number of open requests. */
  pending: () => number
  /** Frames of other sites, each with its session and the element that shows it. */
  frames: () => readonly FrameSession[]
}

type FrameSession = { session: string; owner: { frameId: string; session: string } }

type Guard = (url: string) => Promise<boolean>

const text = (value: unknown): string => String(value ?? '')

const lowerCased = (headers: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((headers ?? {}) as object).map(([name, value]) => [name.toLowerCase(), text(value)]),
  )

/** Returns a guard that looks up each origin once. */
const rememberedGuard = (guard: Guard): Guard => {
  const known = new Map<string, Promise<boolean>>()
  return (url) => {
    if (/^(data|blob|about):/.test(url)) return Promise.resolve(true)
    const { origin } = new URL(url)
    const verdict = known.get(origin) ?? guard(`${origin}/`)
    known.set(origin, verdict)
    return verdict
  }
}

/** Patterns of what is paused: every request, and the answers of documents. */
const EVERY_REQUEST = {
  patterns: [{ urlPattern: '*' }, { urlPattern: '*', resourceType: 'Document', requestStage: 'Response' }],
}

type PageResponse = { status: number; headers: unknown; fromPrefetchCache?: boolean }
type Header = { name: string; value: string }

const SPECULATION = /^speculation-rules$/i

/** Returns the parameters with which a paused answer continues: without the header that makes the browser fetch other pages. */
const answerOf = (requestId: unknown, status: unknown, given: unknown): Record<string, unknown> => {
  const headers = (given ?? []) as Header[]
  const kept = headers.filter(({ name }) => !SPECULATION.test(name))
  return kept.length === headers.length ? { requestId } : { requestId, responseCode: status, responseHeaders: kept }
}

/** True for an address whose document comes over the network. */
const isFetched = (url: unknown): boolean => /^https?:/.test(text(url))
const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }

/** Restricts one session, of a page or of another site's frame, before its scripts run. */
const confine = async ({ send }: Connection, session: string): Promise<void> => {
  await Promise.all([
    send('Fetch.enable', EVERY_REQUEST, session),
    send('Network.enable', {}, session),
    send('Network.setBypassServiceWorker', { bypass: true }, session),
    send('Network.setBlockedURLs', { urls: ['ws://*', 'wss://*'] }, session),
    send('Page.enable', {}, session),
    send('Page.addScriptToEvaluateOnNewDocument', { source: QUIET }, session),
    send('Target.setAutoAttach', AUTO_ATTACH, session),
  ])
}

/**
 * Opens an empty page. Its requests, and those of its frames, go only where the guard allows.
 *
 * Workers and windows that the page opens never start: a screenshot does not need them.
 */
export const openPage = async (connection: Connection, guard: Guard): Promise<Page> => {
  const allowed = rememberedGuard(guard)
  const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' })
  const attached = await connection.send('Target.attachToTarget', { targetId, flatten: true })
  const session = text(attached.sessionId)
  const open = new Set<string>()
  let answer: PageAnswer | undefined
  let [content, loaded] = [false, false]

  /** Ids of the requests that the guard let pass. A document has the id of its request. */
  const passed = new Set<string>()
  let foreign = false
  const pass = async ({ requestId, networkId, request }: Record<string, unknown>, from: string | undefined) => {
    const fits = await allowed((request as { url: string }).url).catch(() => false)
    if (fits) passed.add(text(networkId))
    if (fits) connection.notify('Fetch.continueRequest', { requestId }, from)
    else connection.notify('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }, from)
  }
  const frames = new Map<string, FrameSession>()
  const adopt = async (child: FrameSession) => {
    await confine(connection, child.session)
    frames.set(child.session, child)
    connection.notify('Runtime.runIfWaitingForDebugger', {}, child.session)
  }
  connection.on(({ method, params, session: from }) => {
    if (method === 'Fetch.requestPaused') {
      const { requestId, responseStatusCode: status, responseErrorReason: failure, responseHeaders } = params
      if (status === undefined && failure === undefined) void pass(params, from)
      else connection.notify('Fetch.continueResponse', answerOf(requestId, status, responseHeaders), from)
    } else if (method === 'Page.frameNavigated') {
      const { url, loaderId } = params.frame as { url: string; loaderId: string }
      if (isFetched(url) && !passed.has(loaderId)) foreign = true
    } else if (method === 'Target.attachedToTarget') {
      const { type, targetId: frameId } = params.targetInfo as { type: string; targetId: string }
      const owner = { frameId, session: from ?? session }
      if (type === 'iframe') adopt({ session: text(params.sessionId), owner }).catch(() => undefined)
    } else if (method === 'Target.detachedFromTarget') {
      frames.delete(text(params.sessionId))
    } else if (method === 'Target.targetCreated') {
      const target = params.targetInfo as { type: string; targetId: string; openerId?: string }
      if (target.type === 'page' && target.openerId !== undefined)
        connection.notify('Target.closeTarget', { targetId: target.targetId })
    } else if (from !== session) return
    else if (method === 'Network.requestWillBeSent') open.add(text(params.requestId))
    else if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed')
      open.delete(text(params.requestId))
    else if (method === 'Network.responseReceived' && params.type === 'Document' && params.frameId === targetId) {
      const { status, headers, fromPrefetchCache } = params.response as PageResponse
      answer = { status, headers: lowerCased(headers) }
      if (fromPrefetchCache === true) foreign = true
    } else if (method === 'Page.domContentEventFired') content = true
    else if (method === 'Page.loadEventFired') loaded = true
    else if (method === 'Page.javascriptDialogOpening')
      connection.notify('Page.handleJavaScriptDialog', { accept: false }, session)
  })
  await Promise.all([
    connection.send('Target.setDiscoverTargets', { discover: true }),
    // Targets outside of frames (windows, shared workers, prerendered pages) are paused, and their requests are checked too.
    connection.send('Target.setAutoAttach', AUTO_ATTACH),
    connection.send('Fetch.enable', EVERY_REQUEST).catch(() => undefined),
    connection.send('Page.setPrerenderingAllowed', { isAllowed: false }, session).catch(() => undefined),
    connection.send(
      'Emulation.setDeviceMetricsOverride',
      { ...VIEWPORT, deviceScaleFactor: 1, mobile: false },
      session,
    ),
    confine(connection, session),
  ])
  return {
    session,
    answer: () => answer,
    isForeign: () => foreign,
    hasContent: () => content,
    isLoaded: () => loaded,
    pending: () => open.size,
    frames: () => [...frames.values()],
  }
}
