import * as z from 'zod/mini'
import { type AnswersOf, body, id, instant, means, projectId, selfExplanatory } from '../../platform/http/answers.ts'
import { AGENT_USES } from './agents.ts'
import type { crawlerOperations } from './operations.ts'
import { RULE_SOURCES } from './rules.ts'

const agent = z.strictObject({
  agent: means('Name of the agent in robots.txt.', z.string()),
  of: means('Operator, and its service.', z.string()),
  use: means(
    '`search`: pages it reads can be found or cited. `training`: it reads for training models. `person`: it fetches a page because a person asked for it.',
    z.enum(AGENT_USES),
  ),
  robots: means(
    'Rule of robots.txt for it about `url`. `unknown`: the file could not be reached; agents then read nothing.',
    z.enum(['allowed', 'disallowed', 'unknown']),
  ),
  rule_for: means(
    '`agent`: robots.txt has rules for this name, and only those count. `everyone`: those of `*` count. `none`: no rules, so everything is allowed.',
    z.enum(RULE_SOURCES),
  ),
  by_cloudflare: means('True if the rule that forbids it is in the part that Cloudflare manages.', z.boolean()),
  obeys_robots: means(
    'False if the company that runs it says that it may ignore robots.txt, or it is known to.',
    z.boolean(),
  ),
  name_only: means('True if it makes no requests of its own: it is only a name in robots.txt.', z.boolean()),
  wall: means(
    '`open` or `blocked`: how the request of Googlebot was answered, as Search Console reports it. `not_measured`: nobody but the agent itself can measure it.',
    z.enum(['open', 'blocked', 'not_measured']),
  ),
  wall_seen_at: means('Time of that request. Null if it was not measured.', z.nullable(instant())),
})

/** Answers of the report on agents. */
export const crawlerAnswers = {
  report: {
    200: body({
      project_id: projectId(),
      article_id: means('ID of the article. Null for the site’s start page.', z.nullable(id())),
      url: means('URL that the report is about.', z.string()),
      robots: means(
        'The robots.txt of the host.',
        z.strictObject({
          url: selfExplanatory(z.string()),
          state: means(
            '`read`: its rules are below. `none`: there is none, so everything is allowed. `unreachable`: see `problem`.',
            z.enum(['read', 'none', 'unreachable']),
          ),
          problem: means('Reason why it could not be reached. Null if it could.', z.nullable(z.string())),
        }),
      ),
      agents: means('Agents of search engines and AI services.', z.array(agent)),
      own_request: means(
        'Answer of the page to this service, which asks by its own name. Other agents may be answered otherwise.',
        z.strictObject({
          agent: means('Beginning of the `User-Agent` that we send.', z.string()),
          http_status: means('HTTP status. Null if there was no response.', z.nullable(z.int())),
          let_in: means('True if the page answered with 200.', z.boolean()),
          signed: means(
            'True if the request was signed by Web Bot Auth, so that a wall can know that it is ours.',
            z.boolean(),
          ),
          problem: means('Reason why there was no response. Null if there was one.', z.nullable(z.string())),
        }),
      ),
    }),
  },
} satisfies AnswersOf<typeof crawlerOperations>
