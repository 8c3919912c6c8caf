import * as z from 'zod/mini'
import { ARTICLE_STATUSES, ARTICLE_STYLES } from '../../../schema/values/articles.ts'
import { CTA_INTENSITIES, PRODUCT_POSITIONINGS, TONES, WRITING_PROFILES } from '../../../schema/values/projects.ts'
import { articleId, body, count, instant, means, projectId, selfExplanatory } from '../../platform/http/answers.ts'

/** Link that a text should have. */
const link = z.strictObject({
  url: means('URL to link to.', z.string()),
  anchor: means('Suggested link text.', z.string()),
})

/** Requirements for writing an article. */
export const brief = body({
  article_id: articleId(),
  project_id: projectId(),
  status: means('The same as `Status` of `GET /articles/:id`.', z.enum(ARTICLE_STATUSES)),
  keyword: means('Search term that the article targets.', z.string()),
  title: selfExplanatory(z.string()),
  slug: means('Last part of the article’s URL: the slug you sent, otherwise made from the keyword.', z.string()),
  article_style: means('Type of article. It sets `targets.word_count`.', z.enum(ARTICLE_STYLES)),
  claim: means(
    'Writer of the article: you or the service’s writer.',
    z.strictObject({
      claimable: means('True if the article is planned and the writer has not started it.', z.boolean()),
      claim_by: means(
        'Time until which the article can certainly be claimed, 72 hours before its date. Null if that time has passed, without a date, or if the plan has no writer.',
        z.nullable(instant()),
      ),
      claimed: means(
        'True if the article is published as you saved it. The service’s writer does not change it.',
        z.boolean(),
      ),
      note: means('Next step, in one or two sentences.', z.string()),
    }),
  ),
  targets: means(
    'Target length and number of links.',
    z.strictObject({
      word_count: means('Number of words. Up to 25 % more or less passes. Less than half is an `error`.', count()),
      internal_links: means('Number of links to other pages of the site.', count()),
    }),
  ),
  required_links: means(
    'Links that the text must have.',
    z.strictObject({
      exchange_partners: means(
        'Partners in the backlink exchange, at most two, chosen once. Each has a credit reserved for its link.',
        z.array(link),
      ),
      internal: means(
        'Pages of the site that are related to the keyword. Fewer than `targets.internal_links` if few are related.',
        z.array(link),
      ),
      call_to_action_url: means(
        'URL for the call to action. Null if `call_to_action_intensity` is `None`.',
        z.nullable(z.string()),
      ),
    }),
  ),
  call_to_action_intensity: means('Strength of the article’s call to action.', z.enum(CTA_INTENSITIES)),
  images: selfExplanatory(
    z.strictObject({
      feature_image: means('Requirements for the feature image, in words.', z.string()),
      style: means('Image style, in the project’s own words. May be empty.', z.string()),
    }),
  ),
  instructions: selfExplanatory(
    z.strictObject({
      project: means('Instructions for every article: `ai_instructions` of the project. May be empty.', z.string()),
      article: means('Instructions for this article. May be empty.', z.string()),
    }),
  ),
  language: means('Language to write in, such as `English (US)`.', z.string()),
  tone: means('Tone of the article.', z.enum(TONES)),
  writing_profile: means('Kind of author that the article should sound like.', z.enum(WRITING_PROFILES)),
  product_positioning: means('Prominence of the product in the article.', z.enum(PRODUCT_POSITIONINGS)),
  first_person: means('True if the article uses “I” and “we”.', z.boolean()),
  table_of_contents: means('True if the article has a table of contents.', z.boolean()),
  avoid_formulaic_section_endings: means('True if sections should not end with a summary of themselves.', z.boolean()),
  require_operational_examples: means('True if advice should have an example from practice.', z.boolean()),
  business: means(
    'Business that the article is written for.',
    z.strictObject({
      name: selfExplanatory(z.string()),
      aliases: means('Other names of the business.', z.array(z.string())),
      website_url: selfExplanatory(z.string()),
      description: means('Description of the business and its customers.', z.string()),
      target_audience: means('Audience segments, one per entry.', z.array(z.string())),
      primary_location: means('Location that the business serves. May be empty.', z.string()),
      topics: means('Topics that the site scan found. Empty without `brand_intelligence`.', z.array(z.string())),
    }),
  ),
  meta_description: selfExplanatory(z.strictObject({ max_length: means('Maximum number of characters.', count()) })),
  banned_phrases: means('Phrases that the article must not use.', z.array(z.string())),
  strict_banned_phrase_guard: means(
    'True if variants and translations of `banned_phrases` are also banned.',
    z.boolean(),
  ),
  competitors: means('Domains that the article must not link to.', z.array(z.string())),
  html_rules: means('Rules for the HTML, one per entry.', z.array(z.string())),
})
