import * as z from 'zod/mini'
import { LEDGER_REASONS, LINK_STATUSES } from '../../../schema/values/exchange.ts'
import { type AnswersOf, body, count, id, instant, means, page, projectId } from '../../platform/http/answers.ts'
import type { exchangeOperations } from './operations.ts'

const target = z.strictObject({
  url: means(
    'URL to link to, unchanged: the partner’s page most related to the keyword, otherwise its home page.',
    z.string(),
  ),
  title: means('Title of the page. The partner’s name if the page has none.', z.string()),
  meta_description: means(
    'Meta description of the page, or what the partner’s business does. May be empty.',
    z.string(),
  ),
  project_name: means('Business name of the partner, otherwise its host. Suitable as link text.', z.string()),
})

const received = z.strictObject({
  id: means('ID of the link, the `link_id` in `GET /backlinks/ledger`.', id()),
  source_domain: means('Host of the linking site, without `www.`.', z.string()),
  source_business: means('Name of the linking business. May be empty.', z.string()),
  source_url: means('URL of the live page with the link. Null until the link was seen there.', z.nullable(z.string())),
  target_url: means('Your page that the link points to.', z.string()),
  anchor: means('Link text.', z.string()),
  status: means(
    '`Verified`: seen on the live page. `Scheduled`: saved, but not seen on the live page yet.',
    z.enum(LINK_STATUSES),
  ),
  date: means(
    'Time when the link was seen on the live page. For `Scheduled`: when the article with the link was saved.',
    instant(),
  ),
  scheduled_since: means('Time when the article with the link was saved.', instant()),
  source_dr: means('Always null: no provider rates domains.', z.null()),
})

const entry = z.strictObject({
  id: means('ID of the entry. Send it as `before_id` for older entries.', id()),
  link_id: means(
    'ID of the link, for received links the `id` in `GET /backlinks`. Null if the entry is not about a link.',
    z.nullable(id()),
  ),
  delta: means('Change in credits. Positive: the project gained them. Negative: it paid.', z.int()),
  reason: means(
    '`…_taken_back`: the link was removed. `reserved`: reserved for a future link. `lifted_to_zero`: correction of a negative balance from an earlier release.',
    z.enum(LEDGER_REASONS),
  ),
  partner: means(
    'Host of the other project’s site, without `www.`. Null if the entry is not about a link.',
    z.nullable(z.string()),
  ),
  article_id: means(
    'ID of your article with the link. Null for received links, and if the article was deleted.',
    z.nullable(id()),
  ),
  at: means('Time of the entry.', instant()),
})

/** Answers of the operations of the backlink exchange. */
export const exchangeAnswers = {
  targets: {
    200: body({
      targets: means(
        'Partners, best first: related in topic and with many credits. Empty if no partner fits or the project does not take part.',
        z.array(target).check(z.maxLength(5)),
      ),
      category: means(
        'Topic of your project most related to the keyword. The keyword itself if no topic shares a word with it.',
        z.string(),
      ),
      credits: means('Backlink credits available to pay for received links, without the `reserved` ones.', count()),
      instructions: means('Instructions for links to the partners, or the reason why there are none.', z.string()),
    }),
  },
  list: {
    200: body({
      earned: means('Links seen on the live page, newest first.', z.array(received)),
      earned_count: means('Number of rows of `earned` in this response.', count()),
      earned_limit: means('Maximum number of rows of `earned`.', count()),
      earned_before_id: means('`earned_before_id` for the next page. Null if there is none.', z.nullable(id())),
      scheduled: means(
        'Links in saved articles that were not seen live yet, newest first. They already count.',
        z.array(received),
      ),
      scheduled_count: means('Number of rows of `scheduled` in this response.', count()),
      scheduled_limit: means('Maximum number of rows of `scheduled`.', count()),
      scheduled_before_id: means('`scheduled_before_id` for the next page. Null if there is none.', z.nullable(id())),
      velocity: means(
        'Links received this month, and the monthly limit.',
        z.strictObject({
          cap: means(
            'Maximum number of links that the project may receive per month. Null: no limit.',
            z.nullable(count()),
          ),
          used: means('Links received this month that still count, including pending ones.', count()),
          month: means('Calendar month (UTC), YYYY-MM.', z.string().check(z.regex(/^\d{4}-\d\d$/))),
          competitor_gap_percent: means('Always null: no provider compares links with competitors.', z.null()),
          competitor_gap_target: means('Always null: no provider compares links with competitors.', z.null()),
        }),
      ),
      note: means('Reason why fields of this response are null, in one sentence.', z.string()),
    }),
  },
  status: {
    200: body({
      project_id: projectId(),
      participating: means('True if the project is active and `backlinks_network` is true.', z.boolean()),
      credits: means('Backlink credits available to pay for received links, without the `reserved` ones.', count()),
      debt: means('Credits that were taken back after they were spent. New credits pay the debt first.', count()),
      reserved: means('Credits reserved for links that partners’ planned articles must have.', count()),
      given: means('Number of links to partners that count now.', count()),
      received: means('Number of links from partners that count now, including `pending`.', count()),
      pending: means('Number of received links that were not seen on the live page yet.', count()),
      velocity_cap: means(
        'Maximum number of links that the project may receive per month. Null: no limit.',
        z.nullable(count()),
      ),
      velocity_used: means('Links received this calendar month (UTC) that still count.', count()),
    }),
  },
  ledger: {
    200: page({
      entries: means('Entries, newest first. The sum of all deltas is `balance` minus `debt`.', z.array(entry)),
      balance: means('Current backlink credits, the `credits` in `GET /backlinks/status`.', count()),
      debt: means('Credits that were taken back after they were spent. New credits pay the debt first.', count()),
    }),
  },
} satisfies AnswersOf<typeof exchangeOperations>
