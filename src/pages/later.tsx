import { html, raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { bodyStream } from '../platform/http/route.ts'
import { ApiError } from '../platform/lib/errors.ts'
import { errorFields } from '../platform/runtime/log.ts'
import { type Front, type PagesContext, show } from './front.tsx'
import { wordsOf } from './words.ts'
import { drawnBy } from './zone.ts'

/** Marks where a page is split. No other text can contain it, because `<` is escaped in people's texts. */
const MARK = '<!--later-->'

/** Placeholder for a part that is sent later. Its children are shown until then. */
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
  /** Name of the external service that supplies the part, for people. */
  who: string
  /** Address of the page, for another try. */
  again: string
  part: Promise<Child>
}

/**
 * Sends a page up to its `Later` at once, and the rest when an external service has responded.
 *
 * If the part fails, the page shows the reason and a link to try again.
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
