import * as z from 'zod/mini'
import { ASSISTANTS } from '../../../schema/values/traffic.ts'
import {
  type AnswersOf,
  articleId,
  body,
  count,
  means,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import { AGENT_USES } from '../crawlers/agents.ts'
import type { trafficOperations } from './operations.ts'

const day = () => z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))

const traffic = {
  state: means(
    '`measured`: the site counted at least one of the days. `not_measured`: it counted none of them; there are no numbers.',
    z.enum(['measured', 'not_measured']),
  ),
  reason: means('Reason why days are missing. Null if nothing hinders the counting.', z.nullable(z.string())),
  from: means('First of the days that were asked for.', day()),
  to: means('Last of them: yesterday, in UTC.', day()),
  days_measured: means('Number of days that the site counted from their beginning to their end.', count()),
  visits: means(
    'Visits of readers who came from an AI assistant, at least: many assistants hide where a visit comes from. Null if not measured.',
    z.nullable(count()),
  ),
  crawls: means(
    'Requests of agents, by the name that they give; anybody can give it. What a cache answered is not counted. Null if not measured.',
    z.nullable(count()),
  ),
  assistants: means(
    'Visits by assistant, the most first.',
    z.array(z.strictObject({ assistant: selfExplanatory(z.enum(ASSISTANTS)), visits: selfExplanatory(count()) })),
  ),
  agents: means(
    'Requests by agent, the most first.',
    z.array(
      z.strictObject({
        agent: means('Name of the agent, as in `GET /projects/:id/crawlers`.', z.string()),
        of: means('Operator, and its service.', z.string()),
        use: means(
          '`search`: pages it reads can be found or cited. `training`: it reads for training models. `person`: it fetches a page because a person asked for it.',
          z.enum(AGENT_USES),
        ),
        crawls: selfExplanatory(count()),
      }),
    ),
  ),
  points: means(
    'Measured days, the oldest first. A day that is missing was not measured.',
    z.array(
      z.strictObject({
        date: selfExplanatory(day()),
        visits: selfExplanatory(count()),
        crawls: selfExplanatory(count()),
      }),
    ),
  ),
}

/** Answers of the reports on visits and crawls. */
export const trafficAnswers = {
  site: {
    200: body({
      project_id: projectId(),
      ...traffic,
      articles: means(
        'Articles with visits or crawls, the most visits first.',
        z.array(
          z.strictObject({
            article_id: articleId(),
            title: selfExplanatory(z.string()),
            url: means('Public URL of the post. Null if none is known.', z.nullable(z.string())),
            visits: selfExplanatory(count()),
            crawls: selfExplanatory(count()),
          }),
        ),
      ),
    }),
  },
  article: {
    200: body({
      project_id: projectId(),
      article_id: articleId(),
      ...traffic,
    }),
  },
} satisfies AnswersOf<typeof trafficOperations>
