import type { Hono } from 'hono'
import { namesIn } from '../../accounts/audit/names.ts'
import { listAuditLog } from '../../accounts/audit/read.ts'
import { listPeople } from '../../accounts/people/members.ts'
import { calledPerson } from '../../accounts/people/names.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { ctxOf, idIn } from '../ctx.ts'
import { type Front, type PagesEnv, show, signedIn } from '../front.tsx'
import { Empty, Moment, Select, Table } from '../parts.tsx'
import { AUDIT_KINDS, actorWords, auditSentence, subjectWords } from './audit-words.ts'

/** Adds the page of what was done in the account. */
export const auditPages = (app: Hono<PagesEnv>, front: Front): void => {
  app.get(PATHS.audit, signedIn(front), async (c) => {
    const before = idIn(c.req.query('before'))
    const ctx = ctxOf(c, front)
    const action = AUDIT_KINDS.map(([name]) => name).find((name) => name === c.req.query('action'))
    const [{ entries, before_id }, { members }] = await Promise.all([
      listAuditLog(ctx, {
        ...(before === 0 ? {} : { before_id: before }),
        ...(action === undefined ? {} : { action }),
      }),
      listPeople(ctx),
    ])
    const names = await namesIn(ctx, entries)
    for (const member of members)
      for (const kind of ['person', 'editor']) names.set(`${kind}:${member.id}`, calledPerson(member))
    return await show(c, front, {
      title: 'Audit log',
      menu: true,
      body: (
        <>
          <p>What keys, people and the service did in this account, newest first. It is kept for 400 days.</p>
          <form class="find" method="get" action={PATHS.audit}>
            <Select name="action" label="Only" options={[['', 'everything'], ...AUDIT_KINDS]} chosen={action ?? ''} />
            <button class="plain" type="submit">
              Show
            </button>
          </form>
          {entries.length === 0 ? (
            <Empty>Nothing more is kept.</Empty>
          ) : (
            <Table
              caption="Fifty entries a page"
              heads={['When', 'What', 'On', 'By']}
              rows={entries.map((entry) => [
                <Moment at={new Date(entry.at)} />,
                <span title={entry.action}>{auditSentence(entry.action)}</span>,
                names.get(entry.subject) ?? subjectWords(entry.subject),
                names.get(entry.actor) ?? actorWords(entry.actor),
              ])}
            />
          )}
          {before_id !== null && (
            <p>
              <a href={`${PATHS.audit}?before=${before_id}${action === undefined ? '' : `&action=${action}`}`}>
                Older entries
              </a>
            </p>
          )}
        </>
      ),
    })
  })
}
