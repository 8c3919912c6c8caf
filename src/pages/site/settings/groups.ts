import type { Plan } from '../../../../schema/values/accounts.ts'
import { PUBLISHING_STATUSES, SOCIAL_PUBLISHING_STATUSES } from '../../../../schema/values/projects.ts'
import { PATHS } from '../../../accounts/people/paths.ts'
import { PLAN_INCLUDES } from '../../../platform/accounts/plans.ts'
import { choicesOf, type Group, LONG, SHORT } from './fields.tsx'
import { BUSINESS, images, WRITING } from './writing-groups.ts'

const NO_ADDRESS = 'is not an address: write it with https:// and without spaces'

const LINKS: Group = {
  key: 'links',
  title: 'Links',
  about: 'The pages of the site that articles link to, and the exchange of links with other sites.',
  fields: [
    {
      name: 'sitemap_url',
      label: 'Address of the sitemap',
      hint: 'Empty: it is searched for. After a change, the site is read again',
      kind: 'address',
    },
    {
      name: 'blog_root_url',
      label: 'Address at which the blog begins',
      hint: 'After a change, the site is read again',
      kind: 'address',
    },
    {
      name: 'content_pillars',
      label: 'Main pages',
      hint: 'One address a line. Articles link to these first. After a change, the site is read again',
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
      hint: 'Sites link to each other where it helps their readers: a link you give earns a credit, a link you get costs one. Search engines may count exchanged links as a scheme and rank the site lower. If it is off, no new links come; existing links and your credits stay',
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
      options: choicesOf(PUBLISHING_STATUSES, {
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
      hint: 'As in Europe/Paris. The pages of the site show times in this zone. After a change, what is planned for a day keeps its day and its time of day, in the new zone; what has a time of its own goes out at the same moment',
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
      options: choicesOf(SOCIAL_PUBLISHING_STATUSES, {
        'Publish Immediately': 'go out by themselves',
        'Save as Drafts': 'wait as drafts',
      }),
    },
    {
      name: 'social_media_ai_instructions',
      label: 'Instructions for posts',
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
      wrong: 'is not a domain: write it like example.com',
    },
    {
      name: 'tell_search_engines',
      label: 'Tell search engines about changes',
      hint: 'Bing, Yandex, Naver, Seznam and others hear of each page that is published, changed or taken down, by IndexNow. The page Search → Search engines shows the file that your site needs for it. Google does not take part',
      kind: 'switch',
    },
    {
      name: 'weekly_suggestions',
      label: 'Look for suggestions every Monday',
      hint: 'Between 06:00 and 07:00 UTC. If it is off, they are looked for only when somebody asks',
      kind: 'switch',
    },
  ],
}

/** Returns all settings of a site, in the groups in which people save them. `service` is the name of the service. */
export const groupsFor = (service: string): readonly Group[] => [
  BUSINESS,
  WRITING,
  images(service),
  LINKS,
  PUBLISHING,
  SOCIAL,
  RESEARCH,
]

/** Sentence on what the plan does not include, and a link to change that. */
type Lack = { text: string; href: string; label: string }

const CHOOSE = { href: PATHS.billing, label: 'See the plans' } as const

/** Returns what the plan does not include in a group; undefined if it includes everything. */
export const missingOnPlan = (group: string, plan: Plan): Lack | undefined => {
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
