import { html, raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { bodyStream } from '../platform/http/route.ts'
import { ApiError } from '../platform/lib/errors.ts'
import { errorFields } from '../platform/runtime/log.ts'
import { type Front, type PagesContext, show } from './front.tsx'
import { wordsOf } from './words.ts'
import { drawnBy } from './zone.ts'

/** Text that no page has otherwise: `<` of people's words is escaped. */
const MARK = '<!--later-->'

/** Place of a part that comes later. The words in it are shown until then. */
export const Later = ({ children }: { children: Child }) => (
  <div class="later">
    <p class="hint" role="status">
      {children}
    </p>
    {raw(MARK)}
  </div>
)

const Failed = ({ who, why, again }: { who: string; why: string; again: string }) => (
  <div class="notice bad">
    <p>
      <strong>{who} cannot be asked now.</strong> {why}
    </p>
    <p>
      <a class="button plain" href={again}>
        Try again
      </a>
    </p>
  </div>
)

type Part = {
  zone: string
  /** Service that is asked for the part, as people call it. */
  who: string
  /** Address of the page, to ask again. */
  again: string
  part: Promise<Child>
}

/**
 * Sends a page with a `Later` before that part is there: the page is sent up to it at once, and the rest when another service has answered.
 * A part that fails says why and leads to another try.
 */
export const showWithLater = async (
  c: PagesContext,
  front: Front,
  { zone, who, again, part }: Part,
  shown: Parameters<typeof show>[2],
): Promise<Response> => {
  const { deps } = front
  const drawn = part
    .catch((error: unknown): Child => {
      if (!(error instanceof ApiError))
        deps.log('error', 'page.part_failed', { path: c.req.path, ...errorFields(error) })
      const why = error instanceof ApiError ? wordsOf(error) : 'Something went wrong on our side.'
      return <Failed who={who} why={why} again={again} />
    })
    .then((child) =>
      drawnBy({ zone, now: deps.now(), role: c.get('person').role }, () => String(html`<div>${child}</div>`)),
    )
  const page = await show(c, front, shown)
  const [before = '', after = ''] = (await page.text()).split(MARK)
  const chunks = async function* () {
    yield before
    yield await drawn
    yield after
  }
  const failed = (error: unknown) => deps.log('error', 'stream.failed', { path: c.req.path, ...errorFields(error) })
  return c.body(bodyStream(chunks(), failed), page.status as 200, { 'Content-Type': 'text/html; charset=utf-8' })
}
