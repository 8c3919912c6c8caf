import type { Browser, CaptureInput, CaptureResult } from '../../insights/screenshots/port.ts'
import { acquireBrowser } from './acquire.ts'
import type { Connection } from './connection.ts'
import { COVERS_PAGE, READ_PAGE, REFUSE_CONSENT } from './consent.ts'
import { type Findings, type Judged, judgePage, variedShare, wordsOf } from './judge.ts'
import { openPage, type Page, VIEWPORT } from './page.ts'
import { type Place, placesOf } from './places.ts'

type Options = {
  binding: { fetch: typeof fetch }
  /** True if the page may call the address. */
  guard: (url: string) => Promise<boolean>
  wait: (ms: number) => Promise<void>
}

/** Time limits within one capture, ms. Together they stay below the lease of a job's run. */
const TIMES = {
  navigate: 20_000,
  load: 15_000,
  quiet: 4_000,
  settle: 500,
  script: 8_000,
  late: 1_000,
  again: 2_500,
  all: 75_000,
}

const STEP_MS = 100

/** A page is blank if a smaller share of it differs from its background. A word or two would be more. */
const BLANK_SHARE = 0.0012

/** A PNG above this size is replaced by a JPEG. */
const LARGE_BYTES = 4_000_000

/** Name of the stand-in for a browser (local/browser). */
const STAND_IN = /^Galley/

const unclean = (reason: NonNullable<Judged>['reason'], detail: string): CaptureResult => ({
  kind: 'unclean',
  reason,
  detail,
})

/** Returns the failure for Chromium's error text about a page that did not load. */
const faultOf = (errorText: string, page: Page): CaptureResult => {
  const status = page.answer()?.status ?? 0
  if (status >= 400) return unclean('http_error', `The page answered with HTTP status ${status}.`)
  if (/TIMED_OUT/.test(errorText)) return unclean('timeout', 'The page did not answer in time.')
  if (/BLOCKED_BY_CLIENT/.test(errorText)) return unclean('unreachable', 'The address leads to one that is not public.')
  if (/ABORTED/.test(errorText)) return unclean('unreachable', 'The address gives a file or nothing, not a page.')
  if (/NAME_NOT_RESOLVED/.test(errorText)) return unclean('unreachable', 'The host of the address does not exist.')
  if (/CERT|SSL/.test(errorText)) return unclean('unreachable', 'The site has no valid certificate.')
  return unclean('unreachable', 'The page could not be reached.')
}

const bytesOf = (base64: unknown): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(String(base64)), (char) => char.charCodeAt(0))

/** Returns the promise's value, or `late` after `ms`. */
const within = async <T>(work: Promise<T>, ms: number, wait: Options['wait']): Promise<T | 'late'> =>
  await Promise.race([work, wait(ms).then(() => 'late' as const)])

const shots = ({ send }: Connection, { session }: Page) => {
  const take = async (options: object): Promise<Uint8Array<ArrayBuffer>> =>
    bytesOf((await send('Page.captureScreenshot', { ...options }, session)).data)
  return {
    small: () => take({ format: 'png', clip: { x: 0, y: 0, ...VIEWPORT, scale: 0.1 } }),
    full: async () => {
      const png = await take({ format: 'png' })
      return png.length > LARGE_BYTES ? await take({ format: 'jpeg', quality: 85 }) : png
    },
  }
}

const scripts = (connection: Connection, page: Page, wait: Options['wait']) => {
  const { send } = connection
  const answerTo = async <T>(asked: ReturnType<typeof send>): Promise<T | undefined> => {
    const answer = await within(asked, TIMES.script, wait).catch(() => 'late' as const)
    return answer === 'late' ? undefined : ((answer.result as { value?: T }).value ?? undefined)
  }
  const run = <T>({ session, contextId }: Place, expression: string): Promise<T | undefined> => {
    const options = { expression, awaitPromise: true, returnByValue: true }
    return answerTo(send('Runtime.evaluate', contextId === undefined ? options : { ...options, contextId }, session))
  }
  const places = async (): Promise<[Place, ...Place[]]> => {
    const found = await within(placesOf(connection, page), TIMES.script, wait)
    const [first = { session: page.session }, ...frames] = found === 'late' ? [] : found
    return [first, ...frames]
  }
  /** True if the frame's element covers the page. */
  const covers = async ({ owner }: Place): Promise<boolean> => {
    if (!owner) return false
    const { frameId, session } = owner
    const { backendNodeId } = await send('DOM.getFrameOwner', { frameId }, session)
    const { object } = await send('DOM.resolveNode', { backendNodeId }, session)
    const { objectId } = object as { objectId: string }
    const given = { functionDeclaration: COVERS_PAGE, objectId, returnByValue: true }
    return (await answerTo<boolean>(send('Runtime.callFunctionOn', given, session))) === true
  }
  const isBanner = async (frame: Place): Promise<boolean> =>
    (await run<Findings>(frame, READ_PAGE))?.banner === true && (await covers(frame).catch(() => false))
  return {
    refuse: async () => {
      await Promise.all((await places()).map((place) => run<number>(place, REFUSE_CONSENT)))
    },
    read: async (): Promise<Findings | undefined> => {
      const [first, ...frames] = await places()
      const findings = (await run<Findings>(first, READ_PAGE)) ?? (await run<Findings>(first, READ_PAGE))
      if (!findings || findings.banner) return findings
      return { ...findings, banner: (await Promise.all(frames.map(isBanner))).includes(true) }
    },
  }
}

/** Waits, within limits, until a page has loaded and its network is quiet. Returns true if the page has content. */
const settled = async (page: Page, wait: Options['wait']): Promise<boolean> => {
  for (let passed = 0; !page.isLoaded() && passed < TIMES.load; passed += STEP_MS) await wait(STEP_MS)
  let still = 0
  for (let passed = 0; still < TIMES.settle && passed < TIMES.quiet; passed += STEP_MS) {
    await wait(STEP_MS)
    still = page.pending() === 0 ? still + STEP_MS : 0
  }
  return page.isLoaded() || page.hasContent()
}

const showPage = async (
  connection: Connection,
  input: CaptureInput,
  { guard, wait }: Options,
): Promise<CaptureResult> => {
  const { product } = await connection.send('Browser.getVersion')
  const page = await openPage(connection, guard)
  const { refuse, read } = scripts(connection, page, wait)
  const { small, full } = shots(connection, page)
  const went = await within(connection.send('Page.navigate', { url: input.url }, page.session), TIMES.navigate, wait)
  if (went === 'late') return unclean('timeout', 'The page did not answer in time.')
  if (went.errorText) return faultOf(String(went.errorText), page)
  if (!(await settled(page, wait))) return unclean('timeout', 'The page did not load in time.')
  // Banners and pages that scripts build appear a moment after the load.
  await wait(TIMES.late)
  await refuse()
  let findings = await read()
  if (findings?.banner) {
    await wait(TIMES.late)
    await refuse()
    findings = await read()
  }
  if (!findings) return unclean('timeout', 'The page’s scripts kept the browser busy.')
  let isBlank = (await variedShare(await small())) < BLANK_SHARE
  if (isBlank) {
    await wait(TIMES.again)
    isBlank = (await variedShare(await small())) < BLANK_SHARE
    findings = (await read()) ?? findings
  }
  const answer = page.answer() ?? { status: 200, headers: {} }
  const fault = judgePage(findings, answer, isBlank, input.name)
  if (fault) return unclean(fault.reason, fault.detail)
  const image = await full()
  // Asked last: a page may leave for another address at any moment.
  if (page.isForeign()) return unclean('unreachable', 'The page leads to an address that is not public.')
  return {
    kind: 'captured',
    image,
    words: wordsOf(findings),
    placeholder: STAND_IN.test(String(product)),
  }
}

/** Returns a client that captures each page in a separate browser of Cloudflare Browser Run. */
export const browserRun = (options: Options): Browser => ({
  capture: async (input) => {
    const acquired = await acquireBrowser(options.binding)
    if (acquired.kind === 'away') return acquired
    const { connection } = acquired
    try {
      const result = await within(showPage(connection, input, options), TIMES.all, options.wait)
      return result === 'late' ? unclean('timeout', 'The page took too long.') : result
    } catch {
      // A page can crash the browser, by its size or on purpose.
      return { kind: 'away', reason: 'The browser ended before the picture was taken.' }
    } finally {
      connection.notify('Browser.close')
      connection.close()
    }
  },
})
