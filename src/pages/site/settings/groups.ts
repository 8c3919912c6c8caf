import type { Plan } from '../../../../schema/values/accounts.ts'
import {
  CTA_INTENSITIES,
  PRODUCT_POSITIONINGS,
  PUBLISHING_STATUSES,
  SOCIAL_PUBLISHING_STATUSES,
  TONES,
  WRITING_PROFILES,
} from '../../../../schema/values/projects.ts'
import { PATHS } from '../../../accounts/people/paths.ts'
import { PLAN_INCLUDES } from '../../../platform/accounts/plans.ts'

/** Choices of a field: the value that is sent, and what people read. */
type Options = readonly (readonly [value: string, label: string])[]

/** Kind of a setting: which control types it. `lines` has an entry a line, `listed` suggests names. */
type Kind =
  | { kind: 'text' | 'long'; max: number }
  | { kind: 'address' | 'time' | 'color' | 'switch' | 'dollars' }
  | { kind: 'lines'; max: number; wrong?: string }
  | { kind: 'number'; unit: string; min: number; max: number }
  | { kind: 'choice'; options: Options }
  | { kind: 'listed'; from: 'languages' | 'countries' | 'zones'; max: number; wrong: string }

/** One setting as people see it. `name` is the one of the API. */
export type SettingField = Kind & { name: string; label: string; hint?: string }

/** Settings that are saved together. `about` says what they are for and when a change takes effect. */
export type Group = { key: string; title: string; about: string; fields: readonly SettingField[] }

/** Returns the choices of a closed list of values. A value without words is a fault of the types. */
const worded = <const Values extends readonly string[]>(
  values: Values,
  words: Record<Values[number], string>,
): Options => values.map((value) => [value, words[value as Values[number]]] as const)

const SHORT = 500
const LONG = 10_000

const BUSINESS: Group = {
  key: 'business',
  title: 'Business',
  about:
    'What articles, keywords and questions to AI engines are made from. Reading the site fills what nobody has filled in; it never replaces what you type. A change holds from the next piece of work on.',
  fields: [
    { name: 'business_name', label: 'Name of the business', kind: 'text', max: SHORT },
    {
      name: 'business_aliases',
      label: 'Other names',
      hint: 'One a line: a former or a short one. Searches and AI answers with them count as yours',
      kind: 'lines',
      max: SHORT,
    },
    {
      name: 'business_description',
      label: 'What it does, and for whom',
      hint: 'A few sentences',
      kind: 'long',
      max: SHORT,
    },
    {
      name: 'target_audience',
      label: 'Readers',
      hint: 'One group a line, such as “people who cycle to work”',
      kind: 'lines',
      max: SHORT,
    },
    {
      name: 'primary_location',
      label: 'Place it serves',
      hint: 'Such as Hamburg. Empty if the place does not matter',
      kind: 'text',
      max: SHORT,
    },
  ],
}

const WRITING: Group = {
  key: 'writing',
  title: 'Writing',
  about:
    'How articles of this site are written, by the service or by your agent. A change holds from the next article that is written; what is written stays as it is.',
  fields: [
    {
      name: 'language',
      label: 'Language',
      hint: 'Articles are written and checked in it, keywords are looked up in it, and links are exchanged within it',
      kind: 'listed',
      from: 'languages',
      max: 100,
      wrong: 'Articles are not written in a language of this name. Choose one of the list.',
    },
    {
      name: 'tone',
      label: 'Tone',
      kind: 'choice',
      options: worded(TONES, {
        Informative: 'Informative: plain, precise, calm',
        Conversational: 'Conversational: as one talks to a customer',
        Persuasive: 'Persuasive: leads to a decision by reasons',
      }),
    },
    {
      name: 'writing_profile',
      label: 'Who seems to write',
      kind: 'choice',
      options: worded(WRITING_PROFILES, {
        'Experienced practitioner': 'Somebody who has done the work',
        'Simple educational': 'Somebody who explains every term to beginners',
        'Balanced SEO': 'Somebody who answers what was searched for first',
      }),
    },
    {
      name: 'product_positioning',
      label: 'How much the business is spoken of',
      kind: 'choice',
      options: worded(PRODUCT_POSITIONINGS, {
        'Neutral operational': 'Only where it is the subject',
        'Soft mention': 'Once or twice, where it helps the reader',
        Promotional: 'As the solution of the reader’s problem',
      }),
    },
    {
      name: 'cta_intensity',
      label: 'How an article ends',
      kind: 'choice',
      options: worded(CTA_INTENSITIES, {
        None: 'Without asking for anything',
        Soft: 'With one sentence that invites to your site',
        Direct: 'With a clear request to act',
      }),
    },
    {
      name: 'custom_author_name',
      label: 'Author',
      hint: 'The name under articles. Empty: the one your site puts there',
      kind: 'text',
      max: SHORT,
    },
    {
      name: 'ai_instructions',
      label: 'Instructions for every article',
      hint: 'In your own words; the writer follows them',
      kind: 'long',
      max: LONG,
    },
    { name: 'first_person_writing', label: 'Articles say “I” and “we”', kind: 'switch' },
    { name: 'table_of_contents', label: 'Articles have a table of contents', kind: 'switch' },
    {
      name: 'avoid_formulaic_section_endings',
      label: 'Sections do not end with a summary of themselves',
      kind: 'switch',
    },
    {
      name: 'require_operational_examples',
      label: 'Advice comes with an example from practice',
      kind: 'switch',
    },
    {
      name: 'brand_intelligence',
      label: 'The writer is told what the site is about',
      hint: 'By what reading its pages found',
      kind: 'switch',
    },
    {
      name: 'duplicate_content_protection',
      label: 'The check of an article compares it with the others of the site',
      kind: 'switch',
    },
    {
      name: 'banned_phrases',
      label: 'Phrases that may not be in an article',
      hint: 'One a line. The check of an article points at them',
      kind: 'lines',
      max: SHORT,
    },
    {
      name: 'strict_banned_phrase_guard',
      label: 'Variants and translations of these phrases are kept out, too',
      kind: 'switch',
    },
  ],
}

/** Returns the group of images. They can be kept at the service, by its name, or in the CMS of the site. */
const images = (service: string): Group => ({
  key: 'images',
  title: 'Images',
  about:
    'How pictures of articles look, and where they are kept. A change holds from the next picture that is made and the next publication on.',
  fields: [
    {
      name: 'image_hosting',
      label: 'Where pictures are kept',
      hint: 'In your CMS: they are copied there with each publication. Notion and webhooks are given addresses instead',
      kind: 'choice',
      options: [
        [service, `At ${service}`],
        ['CMS', 'In your CMS'],
      ],
    },
    {
      name: 'image_style',
      label: 'Style',
      hint: 'In your own words, such as “flat drawings in two colours”',
      kind: 'text',
      max: SHORT,
    },
    {
      name: 'image_prompt_instructions',
      label: 'What a model is told besides when it makes a picture',
      kind: 'long',
      max: LONG,
    },
    { name: 'brand_color', label: 'Colour of the brand', hint: 'For title cards. Black means none', kind: 'color' },
    {
      name: 'title_based_featured_image',
      label: 'The picture of an article shows its title',
      hint: 'Always a title card, whatever picture could be made',
      kind: 'switch',
    },
    {
      name: 'videos_enabled',
      label: 'Articles may have videos',
      hint: 'The writer embeds one that fits, and the address of a video alone in its paragraph becomes a player when the text is saved',
      kind: 'switch',
    },
  ],
})

const NO_ADDRESS = 'is no address: write it with https:// and without blanks'

const LINKS: Group = {
  key: 'links',
  title: 'Links',
  about: 'The pages of the site that articles link to, and the exchange of links with other sites.',
  fields: [
    {
      name: 'sitemap_url',
      label: 'Address of the sitemap',
      hint: 'Empty: it is looked for. A new one has the site read again',
      kind: 'address',
    },
    {
      name: 'blog_root_url',
      label: 'Address at which the blog begins',
      hint: 'A new one has the site read again',
      kind: 'address',
    },
    {
      name: 'content_pillars',
      label: 'Main pages',
      hint: 'One address a line. Articles link to these first; new ones have the site read again',
      kind: 'lines',
      max: SHORT,
      wrong: NO_ADDRESS,
    },
    {
      name: 'internal_links_per_article',
      label: 'Links to your own pages',
      unit: 'an article should have',
      kind: 'number',
      min: 1,
      max: 5,
    },
    {
      name: 'backlinks_network',
      label: 'Take part in the exchange of links',
      hint: 'Sites link to each other where it helps their readers: a link you give earns a credit, a link you get costs one. Search engines may count exchanged links as a scheme and rank the site lower. Turned off, no new links come; those that stand and your credits stay',
      kind: 'switch',
    },
  ],
}

const PUBLISHING: Group = {
  key: 'publishing',
  title: 'Publishing',
  about: 'What happens when the date of an article comes. It holds at once, also for what is planned already.',
  fields: [
    {
      name: 'publishing_status',
      label: 'On its date an article',
      hint: 'What the policy forbids or wants approved waits all the same',
      kind: 'choice',
      options: worded(PUBLISHING_STATUSES, {
        'Publish Immediately': 'goes live',
        'Save as Drafts': 'becomes a draft here and is not sent',
        'Send as Drafts': 'is sent to your site as a draft',
      }),
    },
    {
      name: 'publish_time',
      label: 'Time of day',
      hint: 'By the clock of the zone below. Articles and posts that are planned for a day move to it; those with a time of their own stay',
      kind: 'time',
    },
    {
      name: 'timezone',
      label: 'Time zone',
      hint: 'As in Europe/Paris. The pages of the site tell every time by it. What is planned for a day keeps its day and goes out at the time of day there; what has a time of its own goes out at the same moment, which then reads differently',
      kind: 'listed',
      from: 'zones',
      max: 64,
      wrong: 'No time zone has this name. Write it like Europe/Paris.',
    },
  ],
}

const SOCIAL: Group = {
  key: 'social',
  title: 'Social',
  about: 'Posts about your articles, and comments that you pay people for. A change holds from the next one on.',
  fields: [
    {
      name: 'social_media_publishing_status',
      label: 'Posts about a new article',
      kind: 'choice',
      options: worded(SOCIAL_PUBLISHING_STATUSES, {
        'Publish Immediately': 'go out by themselves',
        'Save as Drafts': 'wait as drafts',
      }),
    },
    {
      name: 'social_media_ai_instructions',
      label: 'Wishes for posts',
      hint: 'A language model follows them. Where there is none, only the hashtags among them are used',
      kind: 'long',
      max: LONG,
    },
    {
      name: 'crowdwork_budget',
      label: 'Dollars of crowdwork a month, at most',
      hint: 'A campaign beyond it is refused. Months are in UTC. Empty: no limit but the one of the policy',
      kind: 'dollars',
    },
  ],
}

const RESEARCH: Group = {
  key: 'research',
  title: 'Research',
  about: 'Where and against whom the site is compared. A change holds from the next search or scan on.',
  fields: [
    {
      name: 'keyword_region',
      label: 'Country whose searches count',
      hint: 'Such as Germany, or Worldwide',
      kind: 'listed',
      from: 'countries',
      max: SHORT,
      wrong: 'No country has this name.',
    },
    {
      name: 'competitors',
      label: 'Competitors',
      hint: 'One domain a line, such as example.com. AI answers are compared with them; articles never link to them, and no links are exchanged with them',
      kind: 'lines',
      max: SHORT,
      wrong: 'is no domain: write it like example.com',
    },
    {
      name: 'weekly_suggestions',
      label: 'Look for suggestions every Monday',
      hint: 'In the hour from 06:00 UTC on. Turned off, they are looked for only when somebody asks',
      kind: 'switch',
    },
  ],
}

/** Returns all settings of a site in the groups that people save them in. `service`: the name of the service. */
export const groupsFor = (service: string): readonly Group[] => [
  BUSINESS,
  WRITING,
  images(service),
  LINKS,
  PUBLISHING,
  SOCIAL,
  RESEARCH,
]

/** Sentence on what the plan leaves out of a group, and the page where that changes. */
type Lack = { text: string; href: string; label: string }

const CHOOSE = { href: PATHS.billing, label: 'See the plans' } as const

/** Returns what an account's plan leaves out of a group; undefined if nothing. */
export const lackOf = (group: string, plan: Plan): Lack | undefined => {
  const { writer, keywords, backlinksReceived } = PLAN_INCLUDES[plan]
  if (group === 'writing' && !writer)
    return {
      text: 'Your plan has no writer of the service, so these settings are for your agent and the checks.',
      ...CHOOSE,
    }
  if (group === 'links' && backlinksReceived !== null)
    return { text: `On your plan the exchange brings at most ${backlinksReceived} link a month.`, ...CHOOSE }
  if (group === 'research' && !keywords)
    return {
      text: 'Your plan has no keyword data of the service: your own provider keys are used.',
      href: PATHS.providerKeys,
      label: 'Provider keys',
    }
  return undefined
}
