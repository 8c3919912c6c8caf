import * as z from 'zod/mini'
import { FOUND_AT, MOVE_STATES } from '../../../schema/values/moves.ts'
import {
  type AnswersOf,
  articleId,
  body,
  count,
  id,
  instant,
  means,
  message,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import type { moveOperations } from './operations.ts'

const movedArticle = z.strictObject({
  article_id: articleId(),
  title: selfExplanatory(z.string()),
  old_url: means('URL before the move.', z.string()),
  new_url: means('URL at the new site. Null if the article was not found there.', z.nullable(z.string())),
  found_at: means(
    'Way by which it was found. `path`: the same path at the new site. `redirect`: the old URL leads there. `there`: it has an address of the new site already. Null if it was not found.',
    z.nullable(z.enum(FOUND_AT)),
  ),
  moved: means('True if the article has the new URL since the move.', z.boolean()),
  reason: means('Reason why it keeps the old URL. Null if it does not.', z.nullable(z.string())),
})

const move = z.strictObject({
  id: means('ID of the move.', id()),
  status: means(
    '`looking`: the articles are looked for. `ready`: a person may confirm it at `confirm_url`. `moved`: a person did. `stopped`: it ended early, for the reason in `error`. `replaced`: another move was begun, or a person set it aside.',
    z.enum(MOVE_STATES),
  ),
  old_url: means('URL of the site before the move.', z.string()),
  new_url: means('URL of the site after the move.', z.string()),
  wanted: means('Published articles with a URL when the move began.', count()),
  found: means('Articles that were found at the new site so far.', count()),
  not_found: means('Articles that were not found there. They keep their URL.', count()),
  articles: means('The articles, at most 500: first those that keep their URL.', z.array(movedArticle)),
  confirm_url: means('Page where a person sees the move and confirms it.', z.string()),
  error: means('Reason why it stopped. Null if it did not.', z.nullable(z.string())),
  started_at: selfExplanatory(instant()),
  moved_at: means('Time at which a person confirmed it. Null before.', z.nullable(instant())),
})

/** Answers of the operations on a site that moves. */
export const moveAnswers = {
  move: {
    202: body({
      status: means('The articles are looked for.', z.literal('looking')),
      move_id: means('ID of the move.', id()),
      project_id: projectId(),
      website_url: means('New URL of the site, as it is saved when a person confirms.', z.string()),
      confirm_url: means('Page where a person sees the move and confirms it.', z.string()),
      message: message(),
      instructions_for_agent: means('Sentence for the agent: when it asks the user to confirm, and where.', z.string()),
    }),
  },
  showMove: {
    200: body({ move: means('The newest move. Null if there was none.', z.nullable(move)) }),
  },
} satisfies AnswersOf<typeof moveOperations>
