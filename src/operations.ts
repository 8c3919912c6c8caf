import type * as z from 'zod/mini'
import { articleAnswers } from './articles/answers.ts'
import { articleOperations } from './articles/operations.ts'
import { auditAnswers } from './audit/answers.ts'
import { auditOperations } from './audit/operations.ts'
import { crowdworkAnswers } from './crowdwork/answers.ts'
import { crowdworkOperations } from './crowdwork/operations.ts'
import { exchangeAnswers } from './exchange/answers.ts'
import { exchangeOperations } from './exchange/operations.ts'
import type { AnswersOf } from './http/answers.ts'
import type { Operation, Operations } from './http/operation.ts'
import { keywordAnswers } from './keywords/answers.ts'
import { keywordOperations } from './keywords/operations.ts'
import { mediaAnswers } from './media/answers.ts'
import { mediaOperations } from './media/operations.ts'
import { outreachAnswers } from './outreach/answers.ts'
import { outreachOperations } from './outreach/operations.ts'
import { profileAnswers } from './profile/answers.ts'
import { profileOperations } from './profile/operations.ts'
import { projectAnswers } from './projects/answers.ts'
import { projectOperations } from './projects/operations.ts'
import { providerKeyAnswers } from './provider-keys/answers.ts'
import { providerKeyOperations } from './provider-keys/operations.ts'
import { editingAnswers, integrationAnswers, publishingAnswers } from './publishing/answers.ts'
import { integrationOperations } from './publishing/connect/operations.ts'
import { editingOperations } from './publishing/live/operations.ts'
import { publishingOperations } from './publishing/operations.ts'
import { screenshotAnswers } from './screenshots/answers.ts'
import { screenshotOperations } from './screenshots/operations.ts'
import { searchAnswers } from './search/answers.ts'
import { searchOperations } from './search/operations.ts'
import { siteAnswers } from './site/answers.ts'
import { siteOperations } from './site/operations.ts'
import { socialAnswers } from './social/answers.ts'
import { socialOperations } from './social/operations.ts'
import { suggestionAnswers } from './suggestions/answers.ts'
import { suggestionOperations } from './suggestions/operations.ts'
import { visibilityAnswers } from './visibility/answers.ts'
import { visibilityOperations } from './visibility/operations.ts'
import { writingAnswers } from './writing/answers.ts'
import { writingOperations } from './writing/operations.ts'

/**
 * The endpoint groups: the operations of each. A group is the folder of its Worker below `functions`; the gateway calls it
 * by the service binding of the same name in capitals.
 */
export const GROUPS = {
  projects: [projectOperations, auditOperations],
  articles: [articleOperations, writingOperations],
  editing: [editingOperations],
  publishing: [publishingOperations],
  integrations: [integrationOperations],
  media: [mediaOperations, screenshotOperations],
  research: [siteOperations, exchangeOperations, keywordOperations, providerKeyOperations],
  reach: [outreachOperations, crowdworkOperations],
  social: [socialOperations, profileOperations],
  suggestions: [suggestionOperations],
  insights: [visibilityOperations, searchOperations],
} as const satisfies Record<string, readonly Operations[]>

export type Group = keyof typeof GROUPS

/** What stands above each group's page in the reference. */
export const GROUP_TITLES: Record<Group, string> = {
  projects: 'Projects and the account',
  articles: 'Articles',
  editing: 'Changing articles',
  publishing: 'Publishing and deliveries',
  integrations: 'Integrations',
  research: 'Research and backlinks',
  media: 'Images, videos and screenshots',
  insights: 'AI visibility and search performance',
  suggestions: 'Suggestions',
  reach: 'Crowdwork and outreach',
  social: 'Social posts and business profile',
}

/** An operation and the group it stands in. `later`: the path is in the contract, its Worker is not built yet. */
export type GroupedOperation = Operation & { group: Group | 'later' }

type Later = readonly [method: Operation['method'], path: string, perMinute: number, aliases?: readonly string[]]

/** Paths of the contract whose Workers are not built yet. They answer 501, so that none looks like a wrong address. */
const LATER: readonly Later[] = []

const later = ([method, path, perMinute, aliases = []]: Later): GroupedOperation => ({
  id: `${method.toLowerCase()}${path.replace(/[^a-z]+/g, '.')}`,
  method,
  path,
  aliases,
  perMinute,
  scope: method === 'GET' ? 'read' : 'write',
  group: 'later',
  summary: 'Not yet available.',
  errors: ['not_yet_available'],
})

const built = (Object.keys(GROUPS) as Group[]).flatMap((group) =>
  GROUPS[group].flatMap((operations) => Object.values<Operation>(operations).map((op) => ({ ...op, group }))),
)

/** Every endpoint of the contract: what the gateway routes, and what tests and docs are made from. */
export const OPERATIONS: readonly GroupedOperation[] = [...built, ...LATER.map(later)]

type Answers = Partial<Record<number, z.ZodMiniType>>

const join = <Ops extends Operations>(operations: Ops, answers: AnswersOf<Ops>) =>
  Object.entries(operations).map(([name, { id }]) => [id, answers[name] as Answers] as const)

/** Every answer of success by operation and status. A function, so that Workers, which do not call it, leave it all out. */
export const answerSchemas = (): ReadonlyMap<string, Answers> =>
  new Map([
    ...join(projectOperations, projectAnswers),
    ...join(auditOperations, auditAnswers),
    ...join(articleOperations, articleAnswers),
    ...join(writingOperations, writingAnswers),
    ...join(editingOperations, editingAnswers),
    ...join(publishingOperations, publishingAnswers),
    ...join(integrationOperations, integrationAnswers),
    ...join(mediaOperations, mediaAnswers),
    ...join(screenshotOperations, screenshotAnswers),
    ...join(siteOperations, siteAnswers),
    ...join(exchangeOperations, exchangeAnswers),
    ...join(suggestionOperations, suggestionAnswers),
    ...join(visibilityOperations, visibilityAnswers),
    ...join(outreachOperations, outreachAnswers),
    ...join(crowdworkOperations, crowdworkAnswers),
    ...join(socialOperations, socialAnswers),
    ...join(keywordOperations, keywordAnswers),
    ...join(providerKeyOperations, providerKeyAnswers),
    ...join(searchOperations, searchAnswers),
    ...join(profileOperations, profileAnswers),
  ])
