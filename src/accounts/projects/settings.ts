import * as z from 'zod/mini'
import {
  CTA_INTENSITIES,
  PRODUCT_POSITIONINGS,
  PUBLISHING_STATUSES,
  SOCIAL_PUBLISHING_STATUSES,
  TONES,
  WRITING_PROFILES,
} from '../../../schema/values/projects.ts'
import { dollars, lines, list, text, urlOrEmpty } from '../../platform/lib/fields.ts'
import { oneLine } from '../../platform/lib/foreign-data.ts'
import { LANGUAGES } from '../../platform/lib/languages.ts'
import {
  at,
  color,
  domainOf,
  flag,
  image,
  language,
  oneOf,
  pillarOf,
  publishTime,
  quality,
  type Setting,
  strings,
  timezone,
} from './setting-fields.ts'

const LONG = 10_000
const SHORT = 500

const FROM_SCAN = 'found by the site scan'

/** Every writable project setting, by its name in the API. The only source for input, storage, answers and the reference. */
export const SETTINGS: Record<string, Setting> = {
  ai_instructions: {
    means: 'Instructions that the writer follows in every article.',
    sent: 'Null clears them.',
    otherwise: 'null',
    schema: text(LONG),
    shown: () => z.nullable(z.string()),
    place: at('aiInstructions'),
  },
  business_name: {
    means: 'Name of the business.',
    otherwise: `${FROM_SCAN}, otherwise empty`,
    schema: text(SHORT).check(z.overwrite(oneLine)),
    place: at('businessName'),
  },
  business_aliases: {
    means:
      'Other names of the business, such as a former or a short name. Search queries and AI answers with these names count for the business.',
    sent: 'A list, or text separated by commas or line breaks.',
    otherwise: 'empty',
    schema: list(),
    shown: strings,
    place: at('businessAliases'),
  },
  business_description: {
    means: 'Description of the business and its customers. The basis for articles and keywords.',
    otherwise: `${FROM_SCAN}, otherwise empty`,
    schema: text(SHORT),
    place: at('businessDescription'),
  },
  target_audience: {
    means: 'Audience segments.',
    sent: 'A list, or text separated by commas or line breaks.',
    otherwise: 'empty',
    schema: list(),
    shown: strings,
    place: at('targetAudience'),
  },
  sitemap_url: {
    means: 'URL of the sitemap.',
    sent: 'Empty clears it.',
    otherwise: FROM_SCAN,
    schema: urlOrEmpty(),
    place: at('sitemapUrl'),
  },
  blog_root_url: {
    means: 'URL of the blog’s start page.',
    sent: 'Empty clears it.',
    otherwise: FROM_SCAN,
    schema: urlOrEmpty(),
    place: at('blogRootUrl'),
  },
  content_pillars: {
    means: 'URLs of the most important pages, which articles should link to first.',
    sent: 'A list, or text separated by commas or line breaks.',
    otherwise: 'empty',
    schema: list(pillarOf, 'must be absolute http or https URLs without white space'),
    shown: strings,
    place: at('contentPillars'),
  },
  internal_links_per_article: {
    means: 'Number of links to other pages of the site that an article should have.',
    otherwise: '3',
    schema: z.int().check(z.gte(1), z.lte(5)),
    shown: () => z.int().check(z.gte(1), z.lte(5)),
    place: at('internalLinksPerArticle'),
    aliases: ['internal_links'],
  },
  tone: oneOf(TONES, 'Tone of the articles.', at('contentStyle'), 'Informative'),
  language: {
    means: 'Language of the articles.',
    sent: `A BCP 47 code (\`pt-BR\`) or a label. Labels: ${LANGUAGES.join(', ')}.`,
    otherwise: 'the site’s language if the scan finds it, otherwise `English (US)`',
    schema: language,
    place: at('language'),
  },
  keyword_region: {
    means: 'Country whose searches count: its name or two-letter ISO code, or `Worldwide`.',
    otherwise: '`Worldwide`',
    schema: text(SHORT, 1),
    place: at('keywordRegion'),
  },
  primary_location: {
    means: 'Location that the business serves. The writer uses it.',
    otherwise: 'empty',
    schema: text(SHORT).check(z.overwrite(oneLine)),
    place: at('primaryLocation'),
  },
  writing_profile: oneOf(
    WRITING_PROFILES,
    'Kind of author that the articles should sound like.',
    at('writingProfile'),
    'Balanced SEO',
  ),
  product_positioning: oneOf(
    PRODUCT_POSITIONINGS,
    'Prominence of the product in articles.',
    at('productPositioning'),
    'Soft mention',
  ),
  custom_author_name: {
    means: 'Byline of the articles. Empty: the target’s default author.',
    otherwise: 'empty',
    schema: text(SHORT).check(z.overwrite(oneLine)),
    place: at('customAuthorName'),
  },
  social_media_ai_instructions: {
    means:
      'Instructions for social posts about articles, for the language model. Without a model: hashtags in this text are added to each post.',
    otherwise: 'empty',
    schema: text(LONG),
    place: at('socialMediaAiInstructions'),
  },
  publish_time: {
    means: 'Time of day at which planned articles are published, HH:MM in `timezone`.',
    otherwise: 'a minute of the project between 08:30 and 10:00',
    schema: publishTime,
    place: at('publishTime'),
  },
  timezone: {
    means: 'Time zone in which dates without an offset are read and shown.',
    otherwise: '`UTC`',
    schema: timezone,
    place: at('timezone'),
  },
  publishing_status: oneOf(
    PUBLISHING_STATUSES,
    'Action on the date of a planned article: it is published, stays in this service as a draft, or is sent to the target as a draft.',
    at('publishingStatus'),
    'Publish Immediately',
  ),
  social_media_publishing_status: oneOf(
    SOCIAL_PUBLISHING_STATUSES,
    'Action for social posts about a new article: published, or saved as drafts.',
    at('socialMediaPublishingStatus'),
    'Save as Drafts',
  ),
  image_hosting: {
    means:
      'Host of the images of articles: the service’s name (also `Distribb`), or `CMS`. `CMS` has an effect only with CMS targets.',
    otherwise: 'the service',
    schema: text(SHORT, 1),
    place: image('image_hosting'),
  },
  image_style: {
    means: 'Image style, in your own words.',
    sent: 'Null clears it.',
    otherwise: 'null',
    schema: text(SHORT),
    shown: () => z.nullable(z.string()),
    place: image('image_style'),
  },
  brand_color: {
    means: 'Color of title cards, `#rrggbb`. Null if it was cleared.',
    otherwise: '`#000000`',
    schema: color,
    shown: () => z.nullable(z.string()),
    place: image('brand_color', null),
  },
  image_prompt_instructions: {
    means: 'Text to add to requests to an image model.',
    otherwise: 'empty',
    schema: text(LONG),
    place: image('image_prompt_instructions'),
  },
  title_based_featured_image: flag('the feature image shows the title', image('title_based_featured_image'), false),
  cta_intensity: oneOf(
    CTA_INTENSITIES,
    'Strength of an article’s call to action.',
    { column: 'ctaIntensity', namedAs: 'articleQualitySettings' },
    'Soft',
  ),
  first_person_writing: flag('articles use “I” and “we”', quality('first_person_writing'), false),
  table_of_contents: flag('articles have a table of contents', quality('table_of_contents'), false),
  avoid_formulaic_section_endings: flag(
    'sections should not end with a summary of themselves',
    quality('avoid_formulaic_section_endings'),
    true,
  ),
  require_operational_examples: flag(
    'advice should have an example from practice',
    quality('require_operational_examples'),
    false,
  ),
  strict_banned_phrase_guard: flag(
    'the writer also avoids variants and translations of `banned_phrases`',
    quality('strict_banned_phrase_guard'),
    false,
  ),
  banned_phrases: {
    means: 'Phrases that articles must not use.',
    sent: 'A list, or text with one per line.',
    otherwise: 'empty',
    schema: lines(),
    shown: strings,
    place: at('bannedPhrases'),
    aliases: ['extra_banned_phrases'],
  },
  brand_intelligence: flag('the writer uses the topics that the site scan found', quality('brand_intelligence'), true),
  duplicate_content_protection: {
    ...flag(
      'the SEO report compares an article with other articles of the project',
      quality('duplicate_content_protection'),
      true,
    ),
    aliases: ['duplicate_content_guard_enabled'],
  },
  videos_enabled: flag(
    'the writer embeds one suitable video. When a text is saved, a paragraph that is only a link to a YouTube video then becomes a player',
    at('videosEnabled'),
    false,
  ),
  backlinks_network: flag(
    'the project takes part in the backlink exchange. Search engines may treat exchanged links as a link scheme',
    at('backlinksNetwork'),
    false,
  ),
  competitors: {
    means: 'Domains, including their subdomains, that articles must not link to.',
    sent: 'A list, or text separated by commas or line breaks.',
    otherwise: 'empty',
    schema: list(domainOf, 'must be domains without white space, for example example.com'),
    shown: strings,
    place: at('competitorWebsites'),
    aliases: ['competitor_websites'],
  },
  weekly_suggestions: flag(
    'the service looks for suggestions every Monday, in the hour from 06:00 UTC',
    at('weeklySuggestions'),
    true,
  ),
  tell_search_engines: flag(
    'Bing, Yandex and others are told by IndexNow about each published, changed or removed page. It needs a key file at the site',
    at('tellsEngines'),
    false,
  ),
  /** Dollars a month; stored in cents. */
  crowdwork_budget: {
    means: 'Maximum cost of campaigns per month, in dollars. Null: no limit.',
    otherwise: 'null',
    schema: dollars(0, 1_000_000),
    shown: () => z.nullable(z.number()),
    place: at('crowdworkBudget'),
  },
}
