import * as z from 'zod/mini'
import { ENGINES, GAP_REASONS, VERDICTS } from '../../../schema/values/visibility.ts'
import { count, means, selfExplanatory } from '../../platform/http/answers.ts'

/** Returns the schema of a number from 0 to `high`. */
export const within = (high: number) => z.number().check(z.gte(0), z.lte(high))

/** Returns the schema of a confidence interval. Null without answers. */
export const interval = (high: number) =>
  z.nullable(
    z.strictObject({
      low: means('Lower end, on the scale of its number.', within(high)),
      high: means('Upper end, on the scale of its number.', within(high)),
    }),
  )

const change = z.nullable(z.enum(['up', 'down', 'within_noise']))

/** Score from 0 to 100. */
export const score = z.int().check(z.gte(0), z.lte(100))

/** Reason for which a scan is not compared with the one before. */
const MODEL_CHANGED = 'model_changed'

/** Result of an engine. */
const engine = z.strictObject({
  engine: selfExplanatory(z.enum(ENGINES)),
  key: means('The same as `engine`.', z.enum(ENGINES)),
  label: means('Display name of the engine.', z.string()),
  model: means(
    'Model that answered, or was asked, in the last completed scan. Null before that scan, and for engines that are read from result pages.',
    z.nullable(z.string()),
  ),
  cited: means('True if one of its answers cites or links to a page of the site.', z.boolean()),
  state: means(
    'Best result of its answers. `cited`: cites or links to the site. `mentioned`: only names the business. `not_cited`: neither. `no_data`: no answer that can be judged.',
    z.enum(VERDICTS),
  ),
  reason: means(
    'With `no_data`: reason why most of its answers are missing. `not_asked`: no scan has asked it. `model_changed`: it used another model in the previous scan. Otherwise absent.',
    z.optional(z.enum([...GAP_REASONS, 'not_asked', MODEL_CHANGED])),
  ),
  answers: means('Number of answers behind the score. Gaps do not count.', count()),
  gaps: means('Number of questions without an answer that can be judged. They do not count in any rate.', count()),
  citations: means('Number of citations of, or links to, pages of the site in the answers.', count()),
  visibility_score: means(
    'Score from 0 to 100: share of the answers that cite or mention the business. A mention counts half. 0 or null without counted answers.',
    z.nullable(score),
  ),
  interval: means('95 % Wilson interval of the number next to it. Null without counted answers.', interval(100)),
  change: means(
    'Change of the score since the previous completed scan. `up` and `down` are more than chance, otherwise `within_noise`. Null if there is nothing to compare, or if the model changed (see `reason`). Prompts are not compared.',
    change,
  ),
})

/** Numbers of a scan. */
export const numbers = {
  visibility_score: means(
    'Score from 0 to 100: share of the answers that cite or mention the business. A mention counts half. 0 or null without counted answers.',
    score,
  ),
  score: means('The same as `visibility_score`.', score),
  answers: means('Number of answers behind the score. Gaps do not count.', count()),
  interval: means('95 % Wilson interval of the number next to it. Null without counted answers.', interval(100)),
  change: means(
    'Change of the score since the previous completed scan. `up` and `down` are more than chance, otherwise `within_noise`. Null if there is nothing to compare, or if the model changed (see `reason`).',
    change,
  ),
  reason: means(
    '`model_changed`: `change` is null because an engine used another model in the previous scan. Otherwise absent.',
    z.optional(z.literal(MODEL_CHANGED)),
  ),
  share_of_voice: means(
    'Share from 0 to 1: citations of the business among those of the business and its competitors. 0 if there are none.',
    within(1),
  ),
  share_citations: means('Number of citations of the business and its competitors, the basis of the shares.', count()),
  share_interval: means('95 % Wilson interval of `share_of_voice`. Null without counted citations.', interval(1)),
  share_change: means('Change of `share_of_voice`, in the same form as `change`.', change),
}

/** Results of all engines. */
export const engines = z.array(engine).check(z.length(ENGINES.length))
