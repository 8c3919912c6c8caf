import type { Hono } from 'hono'
import { PLANS } from '../../../schema/values/accounts.ts'
import { PLAN_INCLUDES, PLAN_PRICES } from '../../../src/accounts/plans.ts'
import { PATHS } from '../../../src/people/paths.ts'
import { readAccount } from '../../../src/projects/account.ts'
import { type Front, type PagesEnv, show, signedIn } from '../front.tsx'
import { Table } from '../pages/parts.tsx'
import { ctxOf } from './ctx.ts'

/** The page of plan, slots and credits, where `purchase_url` and `upgrade_url` lead. */
export const billingPages = (app: Hono<PagesEnv>, front: Front): void => {
  app.get(PATHS.billing, signedIn(front), async (c) => {
    const { plan, article_credits, credits_refill_on, project_slots } = await readAccount(ctxOf(c, front), [])
    const isFull = project_slots.used >= project_slots.total
    return await show(c, front, {
      title: 'Plan and projects',
      menu: true,
      notice: isFull
        ? { tone: 'plain', text: 'Every project slot is in use. A new project needs another slot, or archive one.' }
        : undefined,
      body: (
        <>
          <dl>
            <dt>Plan</dt>
            <dd>{plan}</dd>
            <dt>Project slots</dt>
            <dd>
              {project_slots.used} of {project_slots.total} in use
            </dd>
            <dt>Article credits</dt>
            <dd>
              {article_credits}; filled up on {credits_refill_on}
            </dd>
          </dl>
          <h2>Change plan or add slots</h2>
          <p class="notice">
            Payment by card is not set up for this service. Write to those who run it, and name account{' '}
            {c.get('person').accountId}: they change the plan and the slots, and the same call of your agent then
            succeeds.
          </p>
          <h2>Plans</h2>
          <Table
            caption="What each plan includes; prices in dollars a month"
            heads={[
              'Plan',
              'Price',
              'Written by the service',
              'Article credits a month and project',
              'Links received a month',
            ]}
            rows={PLANS.map((name) => [
              name === plan ? <strong>{name} (yours)</strong> : name,
              String(PLAN_PRICES[name]),
              PLAN_INCLUDES[name].writer ? 'yes' : 'no',
              String(PLAN_INCLUDES[name].articleCredits),
              PLAN_INCLUDES[name].backlinksReceived === null
                ? 'no limit'
                : String(PLAN_INCLUDES[name].backlinksReceived),
            ])}
          />
        </>
      ),
    })
  })
}
