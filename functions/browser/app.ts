import { BASE_HEADER, type Browser, CaptureRequest, PLACEHOLDER_HEADER } from '../../src/insights/screenshots/port.ts'

/** Answers `POST /capture`. */
const answerCapture = async (browser: Browser, request: Request): Promise<Response> => {
  const input = CaptureRequest.safeParse(await request.json().catch(() => undefined))
  if (!input.success) return Response.json({ reason: 'The body is not a capture request.' }, { status: 400 })
  const result = await browser.capture(input.data)
  if (result.kind === 'unclean') return Response.json({ reason: result.reason, detail: result.detail }, { status: 422 })
  if (result.kind === 'away') return Response.json({ reason: result.reason }, { status: 503 })
  const headers = result.placeholder ? { [PLACEHOLDER_HEADER]: 'true' } : undefined
  const form = new FormData()
  form.set('words', result.words)
  form.set('image', new Blob([result.image]))
  return new Response(form, headers ? { headers } : {})
}

/** Function that returns the main text of a page; undefined if it cannot be found. */
type MainContent = (html: string, base?: string) => string | undefined

/** Answers `POST /main-content` with the main text of the page in the body, or with 204 if it cannot be found. */
const answerMainContent = async (mainContent: MainContent, request: Request): Promise<Response> => {
  const found = mainContent(await request.text(), request.headers.get(BASE_HEADER) ?? undefined)
  return found === undefined ? new Response(null, { status: 204 }) : new Response(found)
}

/** Answers requests about pages. For other Workers only: it has no public route. */
export const answerLook = async (browser: Browser, mainContent: MainContent, request: Request): Promise<Response> =>
  new URL(request.url).pathname === '/main-content'
    ? await answerMainContent(mainContent, request)
    : await answerCapture(browser, request)
