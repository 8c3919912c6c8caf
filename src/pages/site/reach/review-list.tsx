import { PATHS } from '../../../accounts/people/paths.ts'
import type { ApiError } from '../../../platform/lib/errors.ts'
import type { listReviews } from '../../../reach/profile/read.ts'
import { ActionButton, Empty, For, Moment } from '../../parts.tsx'
import { withQuery } from '../front.ts'
import { Card, MarkPill } from '../parts.tsx'

/** Filters of reviews: name in the address, label, and whether the review has a reply. */
export const VIEWS = [
  ['', 'To answer', false],
  ['answered', 'Answered', true],
  ['all', 'All', undefined],
] as const

/** Place in the list: filter, cursor, and the profile if the site has several. */
export type Where = { view?: string | undefined; cursor?: string | undefined; profile?: string | undefined }

/** Submitted reply that was refused, with its error. */
export type Sent = { review: string; message: string; error: ApiError }

type Found = Extract<Awaited<ReturnType<typeof listReviews>>, { connected: true }>
type Review = Found['reviews'][number]

const MOST_STARS = 5

/** Renders a rating as stars and in words. */
const Stars = ({ rating }: { rating: number | null }) =>
  rating === null ? (
    <span class="meta">no stars</span>
  ) : (
    <span class="stars">
      <i aria-hidden="true">{'★'.repeat(rating) + '☆'.repeat(MOST_STARS - rating)}</i>{' '}
      <span class="meta">{`${rating} of ${MOST_STARS} stars`}</span>
    </span>
  )

const dateOf = (text: string | null): Date | null =>
  text !== null && !Number.isNaN(Date.parse(text)) ? new Date(text) : null

const Hidden = ({ fields }: { fields: Record<string, string | undefined> }) => (
  <>{Object.entries(fields).map(([name, value]) => value && <input type="hidden" name={name} value={value} />)}</>
)

type OneProps = { review: Review; here: string; where: Where; sent: Sent | undefined; approval: string | undefined }

const Answer = ({ review, here, where, sent }: OneProps) => {
  const typed = sent?.review === review.review_id ? sent : undefined
  const [label, button] = review.reply ? ['Change the reply', 'Post the changed reply'] : ['Answer', 'Post the reply']
  return (
    <details open={typed !== undefined}>
      <summary aria-label={`${label}: ${review.reviewer}`}>{label}</summary>
      <form class="stack" method="post" action={`${here}/reply`}>
        <Hidden fields={{ ...where, review: review.review_id }} />
        <label>
          Reply
          <textarea
            name="message"
            rows={4}
            maxlength={4_096}
            required
            dir="auto"
            aria-invalid={typed ? 'true' : undefined}
          >
            {`\n${typed?.message ?? review.reply?.message ?? ''}`}
          </textarea>
          <span class="hint">Everybody can read it at Google, under the name of the business.</span>
        </label>
        <div class="row">
          <button type="submit">{button}</button>
        </div>
      </form>
    </details>
  )
}

const CHECKED: Readonly<Record<string, string>> = {
  pending: ' Google checks it, and nobody else sees it yet.',
  rejected: ' Google refused it: nobody sees it. Change it.',
}

const One = (props: OneProps) => {
  const { review, here, where, approval } = props
  const { reply } = review
  return (
    <li class="review">
      {reply ? <MarkPill mark={['good', '●', 'Answered']} /> : <MarkPill mark={['warn', '◇', 'To answer']} />}
      <div>
        <p>
          <Stars rating={review.rating} />, <span dir="auto">{review.reviewer}</span>,{' '}
          <Moment at={dateOf(review.updated_at ?? review.created_at)} />
        </p>
        <div class="said" dir="auto">
          {review.comment ?? 'No words, only stars.'}
        </div>
        {reply && (
          <blockquote>
            <p>
              Your reply, <Moment at={dateOf(reply.updated_at)} />.{CHECKED[reply.state ?? '']}
            </p>
            <div class="said" dir="auto">
              {reply.message}
            </div>
          </blockquote>
        )}
        {approval !== undefined && (
          <p>
            A reply was written and waits for approval. <a href={approval}>Look at it</a>
          </p>
        )}
        <For right="manage">
          <Answer {...props} />
          {reply && (
            <ActionButton
              action={`${here}/remove`}
              label="Take the reply back"
              name={review.reviewer}
              fields={{ ...filled(where), review: review.review_id }}
              danger
            />
          )}
        </For>
      </div>
    </li>
  )
}

const filled = (where: Where): Record<string, string> =>
  Object.fromEntries(Object.entries(where).filter((one): one is [string, string] => Boolean(one[1])))

/** Renders a hint that no profile is connected, with a link to connect one. */
export const NotConnected = ({ site }: { site: number }) => (
  <Empty>
    <p>
      With the site’s Google Business Profile connected you see what people say of the business, and answer them here.
    </p>
    <For right="manage">
      <a class="button" href={`${PATHS.social}?project_id=${site}`}>
        Connect the profile
      </a>
    </For>
  </Empty>
)

/** Renders the choice of a profile, if a site has several. The ids are those of the network. */
export const Profiles = ({ here, ids }: { here: string; ids: readonly string[] }) => (
  <Card title="Which profile?">
    <ul class="rows two">
      {ids.map((id, n) => (
        <li>
          <span>{`Profile ${n + 1}`}</span>
          <a class="button plain" href={withQuery(here, { profile: id })} aria-label={`Show profile ${n + 1}`}>
            Show
          </a>
        </li>
      ))}
    </ul>
  </Card>
)

const NONE: Record<(typeof VIEWS)[number][0], string> = {
  '': 'Every review that was looked through has an answer.',
  answered: 'No review has an answer yet.',
  all: 'Nobody has written a review yet.',
}

type ListProps = {
  found: Found
  here: string
  where: Where
  view: (typeof VIEWS)[number]
  sent: Sent | undefined
  waiting: ReadonlyMap<string, string>
}

/** Renders reviews with their replies, and the forms to answer them. */
export const List = ({ found, here, where, view: [name], sent, waiting }: ListProps) => (
  <>
    {found.total_reviews !== null && found.average_rating !== null && (
      <p class="hint">
        {`${found.average_rating.toFixed(1)} of ${MOST_STARS} stars on average, ${found.total_reviews === 1 ? '1 review' : `${found.total_reviews} reviews`} in all.`}
      </p>
    )}
    {found.reviews.length === 0 ? (
      <Empty>{NONE[name]}</Empty>
    ) : (
      <div class="card">
        <ul class="rows">
          {found.reviews.map((review) => (
            <One review={review} here={here} where={where} sent={sent} approval={waiting.get(review.review_id)} />
          ))}
        </ul>
      </div>
    )}
    {found.next_cursor !== null && (
      <p class="pages">
        <a href={withQuery(here, { ...where, cursor: found.next_cursor })}>Older reviews</a>
      </p>
    )}
  </>
)
