import type * as z from 'zod/mini'
import { approvalAnswers } from './accounts/approvals/answers.ts'
import { approvalOperations } from './accounts/approvals/operations.ts'
import { auditAnswers } from './accounts/audit/answers.ts'
import { auditOperations } from './accounts/audit/operations.ts'
import { eventAnswers } from './accounts/events/answers.ts'
import { eventOperations } from './accounts/events/operations.ts'
import { peopleAnswers } from './accounts/people/answers.ts'
import { peopleOperations } from './accounts/people/operations.ts'
import { planningAnswers } from './accounts/planning/answers.ts'
import { planningOperations } from './accounts/planning/operations.ts'
import { policyAnswers } from './accounts/policy/answers.ts'
import { policyOperations } from './accounts/policy/operations.ts'
import { projectAnswers } from './accounts/projects/answers.ts'
import { projectOperations } from './accounts/projects/operations.ts'
import { providerKeyAnswers } from './accounts/provider-keys/answers.ts'
import { providerKeyOperations } from './accounts/provider-keys/operations.ts'
import { archiveAnswers } from './content/archive/answers.ts'
import { archiveOperations } from './content/archive/operations.ts'
import { articleAnswers } from './content/articles/answers.ts'
import { articleOperations } from './content/articles/operations.ts'
import { exchangeAnswers } from './content/exchange/answers.ts'
import { exchangeOperations } from './content/exchange/operations.ts'
import { mediaAnswers } from './content/media/answers.ts'
import { mediaOperations } from './content/media/operations.ts'
import { siteAnswers } from './content/site/answers.ts'
import { siteOperations } from './content/site/operations.ts'
import { writingAnswers } from './content/writing/answers.ts'
import { writingOperations } from './content/writing/operations.ts'
import { careAnswers } from './insights/care/answers.ts'
import { careOperations } from './insights/care/operations.ts'
import { crawlerAnswers } from './insights/crawlers/answers.ts'
import { crawlerOperations } from './insights/crawlers/operations.ts'
import { keywordAnswers } from './insights/keywords/answers.ts'
import { keywordOperations } from './insights/keywords/operations.ts'
import { overviewAnswers } from './insights/overview/answers.ts'
import { overviewOperations } from './insights/overview/operations.ts'
import { reportAnswers } from './insights/reports/answers.ts'
import { reportOperations } from './insights/reports/operations.ts'
import { screenshotAnswers } from './insights/screenshots/answers.ts'
import { screenshotOperations } from './insights/screenshots/operations.ts'
import { searchAnswers } from './insights/search/answers.ts'
import { searchOperations } from './insights/search/operations.ts'
import { suggestionAnswers } from './insights/suggestions/answers.ts'
import { suggestionOperations } from './insights/suggestions/operations.ts'
import { trafficAnswers } from './insights/traffic/answers.ts'
import { trafficOperations } from './insights/traffic/operations.ts'
import { visibilityAnswers } from './insights/visibility/answers.ts'
import { visibilityOperations } from './insights/visibility/operations.ts'
import type { AnswersOf } from './platform/http/answers.ts'
import type { Operation, Operations } from './platform/http/operation.ts'
import { adoptAnswers } from './publishing/adopt/answers.ts'
import { adoptOperations } from './publishing/adopt/operations.ts'
import { editingAnswers, publishingAnswers } from './publishing/answers.ts'
import { changesAnswers } from './publishing/changes/answers.ts'
import { changesOperations } from './publishing/changes/operations.ts'
import { catalogAnswers, integrationAnswers } from './publishing/connect/answers.ts'
import { catalogOperations, integrationOperations } from './publishing/connect/operations.ts'
import { engineAnswers } from './publishing/engines/answers.ts'
import { engineOperations } from './publishing/engines/operations.ts'
import { editingOperations } from './publishing/live/operations.ts'
import { moveAnswers } from './publishing/move/answers.ts'
import { moveOperations } from './publishing/move/operations.ts'
import { publishingOperations, undoOperations } from './publishing/operations.ts'
import { statementAnswers } from './publishing/statements/answers.ts'
import { statementOperations } from './publishing/statements/operations.ts'
import { translationAnswers } from './publishing/translations/answers.ts'
import { translationOperations } from './publishing/translations/operations.ts'
import { undoAnswers } from './publishing/undo/answers.ts'
import { crowdworkAnswers } from './reach/crowdwork/answers.ts'
import { crowdworkOperations } from './reach/crowdwork/operations.ts'
import { outreachAnswers } from './reach/outreach/answers.ts'
import { outreachOperations } from './reach/outreach/operations.ts'
import { profileAnswers } from './reach/profile/answers.ts'
import { profileOperations } from './reach/profile/operations.ts'
import { socialAnswers } from './reach/social/answers.ts'
import { socialOperations } from './reach/social/operations.ts'

type Answers = Partial<Record<number, z.ZodMiniType>>

/** The operations of a domain with a schema for each of their answers. */
type Domain = { operations: Operations; answers: Readonly<Record<string, Answers>> }

const domain = <Ops extends Operations>(operations: Ops, answers: AnswersOf<Ops>): Domain => ({ operations, answers })

/** Group of operations: the title of its reference page, its Worker, and its domains. */
type GroupSpec = { title: string; worker: string; domains: readonly Domain[] }

/**
 * The groups of operations. A Worker is a folder below `functions`; the gateway and the MCP server call it by the service
 * binding of the same name in capitals.
 */
export const GROUPS = {
  projects: {
    title: 'Projects and the account',
    worker: 'projects',
    domains: [
      domain(projectOperations, projectAnswers),
      domain(auditOperations, auditAnswers),
      domain(eventOperations, eventAnswers),
      domain(peopleOperations, peopleAnswers),
      domain(policyOperations, policyAnswers),
      domain(approvalOperations, approvalAnswers),
      domain(planningOperations, planningAnswers),
      domain(archiveOperations, archiveAnswers),
    ],
  },
  articles: {
    title: 'Articles',
    worker: 'articles',
    domains: [domain(articleOperations, articleAnswers), domain(writingOperations, writingAnswers)],
  },
  editing: {
    title: 'Changing articles',
    worker: 'articles',
    domains: [domain(editingOperations, editingAnswers)],
  },
  publishing: {
    title: 'Publishing and deliveries',
    worker: 'publishing',
    domains: [
      domain(publishingOperations, publishingAnswers),
      domain(adoptOperations, adoptAnswers),
      domain(moveOperations, moveAnswers),
      domain(changesOperations, changesAnswers),
      domain(statementOperations, statementAnswers),
      domain(translationOperations, translationAnswers),
      domain(undoOperations, undoAnswers),
      domain(engineOperations, engineAnswers),
    ],
  },
  integrations: {
    title: 'Integrations',
    worker: 'publishing',
    domains: [domain(integrationOperations, integrationAnswers), domain(catalogOperations, catalogAnswers)],
  },
  research: {
    title: 'Research and backlinks',
    worker: 'research',
    domains: [
      domain(siteOperations, siteAnswers),
      domain(exchangeOperations, exchangeAnswers),
      domain(keywordOperations, keywordAnswers),
      domain(providerKeyOperations, providerKeyAnswers),
    ],
  },
  media: {
    title: 'Images, videos and screenshots',
    worker: 'media',
    domains: [domain(mediaOperations, mediaAnswers), domain(screenshotOperations, screenshotAnswers)],
  },
  insights: {
    title: 'AI visibility and search performance',
    worker: 'insights',
    domains: [
      domain(visibilityOperations, visibilityAnswers),
      domain(searchOperations, searchAnswers),
      domain(crawlerOperations, crawlerAnswers),
      domain(trafficOperations, trafficAnswers),
      domain(reportOperations, reportAnswers),
      domain(overviewOperations, overviewAnswers),
    ],
  },
  suggestions: {
    title: 'Suggestions',
    worker: 'suggestions',
    domains: [domain(suggestionOperations, suggestionAnswers), domain(careOperations, careAnswers)],
  },
  reach: {
    title: 'Crowdwork and outreach',
    worker: 'reach',
    domains: [domain(outreachOperations, outreachAnswers), domain(crowdworkOperations, crowdworkAnswers)],
  },
  social: {
    title: 'Social posts and business profile',
    worker: 'reach',
    domains: [domain(socialOperations, socialAnswers), domain(profileOperations, profileAnswers)],
  },
} as const satisfies Record<string, GroupSpec>

export type Group = keyof typeof GROUPS

/** Worker that answers operations. */
export type ApiWorker = (typeof GROUPS)[Group]['worker']

/** An operation, its group, and the Worker that answers it. */
export type GroupedOperation = Operation & { group: Group; worker: ApiWorker }

/** Every endpoint of the contract: what the gateway routes, and what tests and docs are made from. */
export const OPERATIONS: readonly GroupedOperation[] = (Object.keys(GROUPS) as Group[]).flatMap((group) =>
  GROUPS[group].domains.flatMap(({ operations }) =>
    Object.values(operations).map((op) => ({ ...op, group, worker: GROUPS[group].worker })),
  ),
)

/** Returns every answer of success by operation and status. */
export const answerSchemas = (): ReadonlyMap<string, Answers> =>
  new Map(
    Object.values<GroupSpec>(GROUPS).flatMap(({ domains }) =>
      domains.flatMap(({ operations, answers }) =>
        Object.entries(operations).map(([name, { id }]) => [id, answers[name] ?? {}] as const),
      ),
    ),
  )
