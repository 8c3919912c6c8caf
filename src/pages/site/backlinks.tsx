import type { Hono } from 'hono'
import type { LEDGER_REASONS } from '../../../schema/values/exchange.ts'
import { listBacklinks, listLedger, readExchangeStatus } from '../../content/exchange/read.ts'
import { ctxOf, idIn } from '../ctx.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { Empty, For, Moment, Pill } from '../parts.tsx'
import { Numbers } from './chart.tsx'
import { type SiteFront, siteIdIn, withSite } from './front.ts'
import { Card, Figures } from './parts.tsx'

type Reason = (typeof LEDGER_REASONS)[number]

const words = (reason: Reason): string => {
  const text = reason.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

type Links = Awaited<ReturnType<typeof listBacklinks>>

const Received = ({ title, links, none }: { title: string; links: Links['earned']; none: string }) => (
  <Card title={title} note={links.length === 0 ? undefined : String(links.length)}>
    {links.length === 0 ? (
      <Empty>{none}</Empty>
    ) : (
      <ul class="rows two">
        {links.map((link) => (
          <li>
            <div>
              {link.source_url === null ? (
                link.source_domain
              ) : (
                <a class="name" href={link.source_url} rel="noreferrer nofollow">
                  {link.source_domain}
                </a>
              )}
              <p>
                “{link.anchor}” to {URL.parse(link.target_url)?.pathname ?? link.target_url}
              </p>
            </div>
            <Moment at={new Date(link.date)} />
          </li>
        ))}
      </ul>
    )}
  </Card>
)

type Ledger = Awaited<ReturnType<typeof listLedger>>

/**
 * Returns the changes with the balance after each, the newest first. The balance after the newest change is the current
 * one.
 */
const withBalances = ({ entries, balance, debt }: Ledger) => {
  let after = balance - debt
  return entries.map((entry) => {
    const row = { ...entry, after }
    after -= entry.delta
    return row
  })
}

const page = async (c: PagesContext, front: SiteFront) => {
  const project = siteIdIn(c)
  const ctx = ctxOf(c, front)
  const before = idIn(c.req.query('before'))
  const [site, [standing, links, ledger]] = await withSite(
    c,
    Promise.all([
      readExchangeStatus(ctx, project),
      listBacklinks(ctx, { project_id: project }),
      listLedger(ctx, { project_id: project, ...(before === 0 ? {} : { before_id: before }) }),
    ]),
  )
  const here = sitePath(site.id, 'backlinks')
  const { credits, debt, given, received, pending, velocity_used: used, velocity_cap: cap } = standing
  const figures = [
    { name: 'Credits', value: credits, note: debt > 0 ? `and a debt of ${debt}` : 'to spend on links to you' },
    { name: 'Links given', value: given, note: 'seen on your pages' },
    { name: 'Links received', value: received, note: `${pending} of them still to come` },
    { name: 'This month', value: used, note: cap === null ? 'no limit on your plan' : `of ${cap} on your plan` },
  ]
  return await show(c, front, {
    title: 'Backlinks',
    menu: true,
    page: 'backlinks',
    site: site.id,
    actions: standing.participating ? (
      <Pill tone="good" shape="●">
        Takes part
      </Pill>
    ) : (
      <Pill>Does not take part</Pill>
    ),
    body: (
      <>
        {!standing.participating && (
          <div class="notice">
            <p>
              In the exchange sites link to each other where it helps their readers: a link you give earns a credit, a
              link you get costs one. Search engines may count exchanged links as a scheme. It is off until an owner or
              a member of the account turns it on.
            </p>
            <For right="manage">
              <a class="button" href={sitePath(site.id, 'settings/links')}>
                Decide in the settings of the site
              </a>
            </For>
          </div>
        )}
        <div class="cards">
          <Figures figures={figures} />
          <Received title="Received" links={links.earned} none="No link to your site was seen yet." />
          <Received title="Still to come" links={links.scheduled} none="No link is planned." />
          <Card title="Statement" note="what changed your credits">
            {ledger.entries.length === 0 ? (
              <Empty>Nothing changed your credits yet.</Empty>
            ) : (
              <div class="in">
                <Numbers
                  caption="Changes of credits, newest first"
                  heads={['What', 'When', 'Change', ...(before === 0 ? ['Balance'] : [])]}
                  rows={withBalances(ledger).map((entry) => [
                    <>
                      {words(entry.reason)}
                      {entry.partner !== null && <span class="day">{entry.partner}</span>}
                    </>,
                    <Moment at={new Date(entry.at)} />,
                    entry.delta > 0 ? `+${entry.delta}` : String(entry.delta),
                    ...(before === 0 ? [String(entry.after)] : []),
                  ])}
                />
              </div>
            )}
            {ledger.before_id !== null && (
              <p class="pages">
                <a href={`${here}?before=${ledger.before_id}`}>Earlier changes</a>
              </p>
            )}
          </Card>
        </div>
      </>
    ),
  })
}

/** Adds the page of the links that a site gave and received in the exchange. */
export const backlinksPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/backlinks', signedIn(front), (c) => page(c, front))
}
