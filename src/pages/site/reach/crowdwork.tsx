import type { Hono } from 'hono'
import type { CampaignStatus } from '../../../../schema/values/crowdwork.ts'
import { readPolicy } from '../../../accounts/policy/read.ts'
import { listCampaigns, readSpend } from '../../../reach/crowdwork/read.ts'
import { ctxOf, idIn } from '../../ctx.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { Empty, For, Moment } from '../../parts.tsx'
import { siteIdIn, withQuery, withSite } from '../front.ts'
import { Figures, type Mark, MarkedRow, MarkPill } from '../parts.tsx'
import type { ReachFront } from './front.ts'

/** States of a campaign: colour, shape and word. */
export const CAMPAIGN_STATES: Record<CampaignStatus, Mark> = {
  created: ['plain', '□', 'Made'],
  running: ['accent', '■', 'Running'],
  paused: ['warn', '▢', 'Paused'],
  finished: ['good', '●', 'Finished'],
  stopped: ['bad', '▲', 'Stopped'],
}

/** Returns an amount of dollars for people: `$4.20`. */
export const dollars = (amount: number): string => `$${amount.toFixed(2)}`

/** Price of the cheapest task, in dollars. With less budget left, no new campaign can start. */
const CHEAPEST = 0.15

type Spend = Awaited<ReturnType<typeof readSpend>>

/** Returns the spending limit of a month, and if the policy sets it; undefined if no limit is set. */
const limitOf = ({ budget }: Spend, policy: number | null): { most: number; byPolicy: boolean } | undefined => {
  if (budget === null && policy === null) return undefined
  const byPolicy = policy !== null && (budget === null || policy <= budget)
  return { most: byPolicy ? (policy ?? 0) : (budget ?? 0), byPolicy }
}

const Spent = ({ site, spend, limit }: { site: number; spend: Spend; limit: ReturnType<typeof limitOf> }) => {
  const left = limit && Math.max(0, limit.most - spend.committed)
  return (
    <>
      {limit && left !== undefined && left < CHEAPEST && (
        <div class="notice warn">
          <p>
            <strong>The budget of this month is spent.</strong> {dollars(spend.committed)} of {dollars(limit.most)} are
            set aside, so no new campaign begins before the next month. What runs goes on.
          </p>
          <For right="manage">
            <p>
              <a href={sitePath(site, limit.byPolicy ? 'policy' : 'settings/social')}>Change the budget</a>
            </p>
          </For>
        </div>
      )}
      <Figures
        figures={[
          {
            name: 'Set aside this month',
            value: dollars(spend.committed),
            note: spend.campaigns === 1 ? 'for 1 campaign' : `for ${spend.campaigns} campaigns`,
          },
          {
            name: 'Budget of the month',
            value: limit ? dollars(limit.most) : 'No limit',
            note: limit ? `${dollars(left ?? 0)} left` : 'set one in the policy',
          },
        ]}
      />
    </>
  )
}

type Campaign = Awaited<ReturnType<typeof listCampaigns>>['campaigns'][number]

const priceOf = ({ AvailablePositions: tasks, PaymentPerTask: price }: Campaign): string =>
  `${tasks === 1 ? '1 task' : `${tasks} tasks`} at ${dollars(price)}, ${dollars(tasks * price)} at most`

const None = () => (
  <Empty>
    <p>
      With crowdwork, people elsewhere do small tasks for a few cents each: they look at a page and say what they think,
      or check something by hand. Your agent begins a campaign within your budget. What people hand in is rated here,
      and you pay for what you accept.
    </p>
    <a class="button" href="/docs/how/crowdwork#crowdwork">
      How an agent begins one
    </a>
  </Empty>
)

const list = async (c: PagesContext, front: ReachFront) => {
  const [ctx, project] = [ctxOf(c, front), siteIdIn(c)]
  const before = idIn(c.req.query('before'))
  const input = { project_id: project, limit: 50, ...(before === 0 ? {} : { before_id: before }) }
  const [site, [{ campaigns, before_id: next }, spend, policy]] = await withSite(
    c,
    Promise.all([listCampaigns(ctx, input), readSpend(ctx, { project_id: project }), readPolicy(ctx, project)]),
  )
  const here = sitePath(site.id, 'crowdwork')
  const isNone = campaigns.length === 0 && before === 0
  return await show(c, front, {
    title: 'Crowdwork',
    menu: true,
    page: 'crowdwork',
    site: site.id,
    body: isNone ? (
      <None />
    ) : (
      <div class="cards">
        <Spent site={site.id} spend={spend} limit={limitOf(spend, policy.clauses.monthly_budget.crowdwork_dollars)} />
        <div class="card">
          <ul class="rows">
            {campaigns.map((one) => (
              <MarkedRow
                mark={<MarkPill mark={CAMPAIGN_STATES[one.Status]} />}
                href={`${here}/${encodeURIComponent(one.CrowdworkCampaignID)}`}
                name={one.Title}
                action="Open"
              >
                {priceOf(one)}, made <Moment at={new Date(one.CreatedAt)} />
              </MarkedRow>
            ))}
          </ul>
        </div>
        {next !== null && (
          <p class="pages">
            <a href={withQuery(here, { before: String(next) })}>Older campaigns</a>
          </p>
        )}
      </div>
    ),
  })
}
/** Adds the page of a site's crowdwork campaigns, with the month's budget. */
export const crowdworkPages = (app: Hono<PagesEnv>, front: ReachFront): void => {
  app.get('/p/:site/crowdwork', signedIn(front), (c) => list(c, front))
}
