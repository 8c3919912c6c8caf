import type { Hono } from 'hono'
import { crawlersReport } from '../../insights/crawlers/report.ts'
import { ctxOf, idIn } from '../ctx.ts'
import { type PagesContext, type PagesEnv, signedIn } from '../front.tsx'
import { Later, showWithLater } from '../later.tsx'
import { sitePath } from '../menu.ts'
import { Pill, Table } from '../parts.tsx'
import { type SiteFront, siteIdIn, siteIn } from './front.ts'
import { Card } from './parts.tsx'

type Report = Awaited<ReturnType<typeof crawlersReport>>
type Agent = Report['agents'][number]

const USES = [
  ['search', 'To be found and cited', 'Search engines and answers of AI services'],
  ['person', 'Asked for by a person', 'They fetch a page that somebody in a chat wants to read'],
  ['training', 'To train models', 'Being found does not depend on them'],
] as const

const ROBOTS = {
  allowed: ['good', '●', 'Allowed'],
  disallowed: ['bad', '▲', 'Forbidden'],
  unknown: ['warn', '○', 'Not known'],
} as const

const RULES = { agent: 'a rule for its name', everyone: 'the rule for everyone', none: 'no rule' } as const

const WALLS = { open: 'let in', blocked: 'refused by a wall', not_measured: 'not measured' } as const

const rowOf = (agent: Agent) => {
  const [tone, shape, word] = ROBOTS[agent.robots]
  return [
    <>
      <b>{agent.agent}</b> <span class="of">{agent.of}</span>
    </>,
    <Pill tone={tone} shape={shape}>
      {word}
    </Pill>,
    `${agent.by_cloudflare ? 'Cloudflare’s part of the file' : RULES[agent.rule_for]}${agent.obeys_robots ? '' : '; it may ignore the file'}`,
    agent.name_only ? 'no requests of its own' : WALLS[agent.wall],
  ]
}

const Agents = ({ report }: { report: Report }) => {
  const { robots, own_request: own } = report
  return (
    <div class="cards">
      <Card title="What the site answers" note={report.url}>
        <ul class="rows">
          <li>
            <Pill tone={own.let_in ? 'good' : 'bad'} shape={own.let_in ? '●' : '▲'}>
              {own.let_in ? 'Let in' : 'Kept out'}
            </Pill>
            <div>
              <span class="name">Our own request</span>
              <p>
                {own.problem ?? `The page answered with ${own.http_status}.`} It was made as {own.agent}; the site may
                answer others otherwise.
              </p>
            </div>
          </li>
          <li>
            <Pill tone={robots.state === 'unreachable' ? 'bad' : 'good'} shape="●">
              {robots.state === 'read' ? 'Read' : robots.state === 'none' ? 'None' : 'Not reachable'}
            </Pill>
            <div>
              <span class="name">{robots.url}</span>
              <p>
                {robots.problem ??
                  (robots.state === 'none' ? 'Without it, everything is allowed.' : 'Its rules are below.')}
              </p>
            </div>
          </li>
        </ul>
      </Card>
      {USES.map(([use, title, note]) => (
        <Card title={title} note={note}>
          <Table
            caption={title}
            heads={['Agent', 'robots.txt', 'By', 'Wall']}
            rows={report.agents.filter((agent) => agent.use === use).map(rowOf)}
          />
        </Card>
      ))}
      <p class="hint">
        A wall, such as a firewall, can refuse an agent that robots.txt allows. What Googlebot met is known from Search
        Console. No request here is made in the name of another agent, so the others are not measured.
      </p>
    </div>
  )
}

const page = async (c: PagesContext, front: SiteFront) => {
  const site = await siteIn(c)
  const article = c.req.query('article') === undefined ? undefined : idIn(c.req.query('article'))
  const path = sitePath(site.id, `crawlers${article === undefined ? '' : `?article=${article}`}`)
  const part = crawlersReport(ctxOf(c, front), siteIdIn(c), { article_id: article }).then((report) => (
    <Agents report={report} />
  ))
  return await showWithLater(
    c,
    front,
    { zone: site.zone, who: 'The site', again: path, part },
    {
      title: 'Who may read it',
      menu: true,
      page: 'search',
      site: site.id,
      body: <Later>Asking the site…</Later>,
    },
  )
}

/** Adds the page of the agents that a site lets in. */
export const crawlersPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/crawlers', signedIn(front), (c) => page(c, front))
}
