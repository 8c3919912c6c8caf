import type { Hono } from 'hono'
import { NOTICE_DAYS } from '../../../schema/values/retention.ts'
import { markRead, type NoticeRow, readNotices } from '../../accounts/notices/read.ts'
import { PATHS, safeNext } from '../../accounts/people/paths.ts'
import { idIn } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { backTo } from '../notice.ts'
import { ActionButton, Empty, Moment, Pill } from '../parts.tsx'
import { withQuery } from '../site/front.ts'

const OPEN = `${PATHS.noticeList}/open`

const readerOf = (c: PagesContext) => {
  const { id: personId, accountId } = c.get('person')
  return { personId, accountId }
}

const State = ({ row: { isRead, isOpen } }: { row: NoticeRow }) => {
  if (!isRead)
    return (
      <Pill tone="accent" shape="●">
        Unread
      </Pill>
    )
  return isOpen ? <Pill>Read</Pill> : <Pill>Nothing left to do</Pill>
}

const Row = ({ row }: { row: NoticeRow }) => {
  const { id, sentence, at, isRead, path } = row
  return (
    <li>
      <State row={row} />
      <div>
        {isRead && path !== null ? (
          <a class="name" href={path} dir="auto">
            {sentence}
          </a>
        ) : (
          <span dir="auto">{sentence}</span>
        )}
        <p>
          <Moment at={at} bare />
        </p>
      </div>
      <span class="row">
        {!isRead && path !== null && (
          <ActionButton action={OPEN} label="Open" name={sentence} fields={{ id: String(id), path }} />
        )}
        {!isRead && (
          <ActionButton action={PATHS.noticeList} label="Mark as read" name={sentence} fields={{ id: String(id) }} />
        )}
      </span>
    </li>
  )
}

const page = async (c: PagesContext, front: Front) => {
  const before = idIn(c.req.query('before'))
  const [{ rows, more }, { unread }] = await Promise.all([
    readNotices(front.deps.db, readerOf(c), before),
    c.get('menu'),
  ])
  const newest = rows[0]?.id
  return await show(c, front, {
    title: 'Notices',
    menu: true,
    actions: unread > 0 && newest !== undefined && before === 0 && (
      <ActionButton action={PATHS.noticeList} label="Mark all as read" name="" fields={{ up_to: String(newest) }} />
    ),
    body: (
      <>
        <p>
          What happened that a person may have to act on, in this account. It is kept for {NOTICE_DAYS} days.{' '}
          <a href={PATHS.notices}>Choose which notices are mailed</a>
        </p>
        {rows.length === 0 ? (
          <Empty>
            <p>{before === 0 ? 'Nothing has needed you yet.' : 'Nothing more is kept.'}</p>
          </Empty>
        ) : (
          <section class="card">
            <ul class="rows">
              {rows.map((row) => (
                <Row row={row} />
              ))}
            </ul>
          </section>
        )}
        {more !== undefined && (
          <p class="pages">
            <a href={withQuery(PATHS.noticeList, { before: String(more) })}>Older notices</a>
          </p>
        )}
      </>
    ),
  })
}

/** Adds the page of a person's notices. */
export const noticeListPages = (app: Hono<PagesEnv>, front: Front): void => {
  app.get(PATHS.noticeList, signedIn(front), (c) => page(c, front))
  app.post(PATHS.noticeList, signedIn(front), async (c) => {
    const { id, up_to: upTo } = await formOf(c)
    await markRead(front.deps, readerOf(c), upTo === undefined ? { id: idIn(id) } : { upTo: idIn(upTo) })
    const text = upTo === undefined ? 'Marked as read.' : 'All marked as read.'
    return await backTo(c, front, PATHS.noticeList, { tone: 'good', text })
  })
  app.post(OPEN, signedIn(front), async (c) => {
    const { id, path } = await formOf(c)
    await markRead(front.deps, readerOf(c), { id: idIn(id) })
    return c.redirect(safeNext(path), 303)
  })
}
