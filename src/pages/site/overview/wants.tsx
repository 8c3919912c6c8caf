import type { Child } from 'hono/jsx'
import { PATHS } from '../../../accounts/people/paths.ts'
import type { Right } from '../../../accounts/people/roles.ts'
import { sitePath } from '../../menu.ts'
import { Pill } from '../../parts.tsx'
import type { Site } from '../../queries.ts'
import { forPeople } from '../../words.ts'
import { Card } from '../parts.tsx'
import type { FailedPost, Listed, PlanConditions, ReadyRewrite } from '../queries.ts'
import { isSentBack, KindPill, type kindWords, StatePill, titleOf, troubleText } from '../states.tsx'

/** Thing that waits for a person with the right to act on it. */
type Wants = { pill: Child; title: string; href: string; text: string; action: string; to: string; right: Right }

/** Most planned articles that are listed as stuck. */
const STUCK = 5

/**
 * Returns planned articles that will not go out on their date.
 *
 * A missing target is reported once for the site, and a failed publication by its own entry. Both are left out here.
 */
const stuckOf = (planned: readonly Planned[], troubled: readonly Listed[], { has_target }: PlanConditions) =>
  planned
    .filter(({ words }) => words.tile === 'stays' && has_target)
    .filter(({ article }) => !troubled.some(({ id }) => id === article.id))
    .slice(0, STUCK)

/** Returns the things that wait for a person, the worst first. */
export const wantsOf = (
  site: Site,
  found: {
    troubled: readonly Listed[]
    ready: readonly ReadyRewrite[]
    posts: readonly FailedPost[]
    near: readonly Planned[]
    /** True if nothing is planned or published yet. */
    isNew: boolean
  },
  conditions: PlanConditions,
): Wants[] => [
  ...found.troubled.map((article) => ({
    pill: <StatePill article={article} />,
    title: titleOf(article),
    href: sitePath(site.id, `articles/${article.id}`),
    text: troubleText(article),
    ...(isSentBack(article)
      ? { action: 'Change the text', to: sitePath(site.id, `articles/${article.id}/edit`) }
      : { action: 'See why', to: sitePath(site.id, `articles/${article.id}`) }),
    right: 'edit' as const,
  })),
  ...(site.asked === 0
    ? []
    : [
        {
          pill: (
            <Pill tone="warn" shape="◇">
              To approve
            </Pill>
          ),
          title: site.asked === 1 ? '1 thing waits for your approval' : `${site.asked} things wait for your approval`,
          href: sitePath(site.id, 'approvals'),
          text: 'Nothing is published before a person approves it.',
          action: 'Decide',
          to: sitePath(site.id, 'approvals'),
          right: 'decide' as const,
        },
      ]),
  ...(conditions.has_target
    ? []
    : [
        {
          pill: (
            <Pill tone="warn" shape="▢">
              Not connected
            </Pill>
          ),
          ...(found.isNew
            ? {
                title: 'The site is not set up yet',
                href: sitePath(site.id, 'setup'),
                text: 'Connect where its articles are published, then plan the first one.',
                action: 'Set it up',
                to: sitePath(site.id, 'setup'),
              }
            : {
                title: 'Nothing is connected to publish to',
                href: `${PATHS.integrations}?project_id=${site.id}`,
                text: 'Planned articles stay here until a site or a receiver of your own is connected.',
                action: 'Connect',
                to: `${PATHS.integrations}?project_id=${site.id}`,
              }),
          right: 'manage' as const,
        },
      ]),
  ...(conditions.target_error === null
    ? []
    : [
        {
          pill: (
            <Pill tone="bad" shape="▲">
              Connection
            </Pill>
          ),
          title: `${conditions.target_name ?? 'The site'} did not accept what was sent last`,
          href: `${PATHS.integrations}?project_id=${site.id}`,
          text: forPeople(conditions.target_error),
          action: 'Look at it',
          to: `${PATHS.integrations}?project_id=${site.id}`,
          right: 'manage' as const,
        },
      ]),
  ...found.ready.map((one) => ({
    pill: (
      <Pill tone="accent" shape="◆">
        Rewrite ready
      </Pill>
    ),
    title: one.title,
    href: sitePath(site.id, `suggestions/${one.id}`),
    text: one.reason,
    action: 'Compare',
    to: sitePath(site.id, `suggestions/${one.id}`),
    right: 'edit' as const,
  })),
  ...found.posts.map(({ id, content, error }) => ({
    pill: (
      <Pill tone="bad" shape="▲">
        Post failed
      </Pill>
    ),
    title: content || 'A post without words',
    href: sitePath(site.id, `social/${id}`),
    text: forPeople(error ?? '') || 'The network did not accept it.',
    action: 'See why',
    to: sitePath(site.id, `social/${id}`),
    right: 'edit' as const,
  })),
  ...stuckOf(found.near, found.troubled, conditions).map(({ article, words }) => ({
    pill: <KindPill words={words} />,
    title: titleOf(article),
    href: sitePath(site.id, `articles/${article.id}`),
    text: words.sentence,
    action: 'Open',
    to: sitePath(site.id, `articles/${article.id}`),
    right: 'edit' as const,
  })),
]

/** Renders the list of what needs a person. `calm`: the sentence for an empty list. */
export const NeedsYou = ({ wants, calm }: { wants: readonly Wants[]; calm: string }) => (
  <Card
    title="Needs you"
    note={wants.length === 0 ? undefined : wants.length === 1 ? '1 thing' : `${wants.length} things`}
    span="c7"
  >
    {wants.length === 0 ? (
      <p class="in">
        <Pill tone="good" shape="●">
          All clear
        </Pill>{' '}
        {calm}
      </p>
    ) : (
      <ul class="rows">
        {wants.map(({ pill, title, href, text, action, to }) => (
          <li>
            {pill}
            <div>
              <a class="name" href={href}>
                {title}
              </a>
              <p>{text}</p>
            </div>
            <a class="button plain" href={to} aria-label={`${action}: ${title}`}>
              {action}
            </a>
          </li>
        ))}
      </ul>
    )}
  </Card>
)

/** Planned article, with the words for what will happen to it. */
export type Planned = { article: Listed; words: ReturnType<typeof kindWords> }
