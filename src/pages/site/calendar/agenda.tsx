import type { Child } from 'hono/jsx'
import { etagOf } from '../../../platform/lib/etag.ts'
import { sitePath } from '../../menu.ts'
import { Empty, For, Moment, Pill } from '../../parts.tsx'
import { dayText } from '../../zone.ts'
import { Card } from '../parts.tsx'
import type { Listed } from '../queries.ts'
import { KindPill, StatePill, titleOf } from '../states.tsx'
import { type Dated, type DatedPost, isMovable } from './rules.ts'

type MoveProps = { article: Listed; day: string; time: string; to: string }

const MoveForm = ({ article, day, time, to }: MoveProps) => (
  <details>
    <summary>{day === '' ? 'Choose a date' : 'Move'}</summary>
    <form class="row" method="post" action={sitePath(article.project_id, `articles/${article.id}/date`)}>
      <input type="hidden" name="version" value={etagOf(new Date(article.updated_at), article.revision)} />
      <input type="hidden" name="to" value={to} />
      <input
        type="datetime-local"
        name="at"
        value={day === '' ? '' : `${day}T${time}`}
        aria-label={`New date of ${titleOf(article)}`}
        required
      />
      <button class="plain" type="submit">
        {day === '' ? 'Give it this date' : 'Move it'}
      </button>
    </form>
  </details>
)

type WhenProps = { at: string; day: string; time: string; siteName: string | undefined }

/** Renders a date by the page's clock. If several sites are shown, renders it by its site's clock. */
const When = ({ at, day, time, siteName }: WhenProps) =>
  siteName === undefined ? (
    <Moment at={new Date(at)} bare />
  ) : (
    <span>{`${siteName}, ${dayText(day, day)}, ${time}`}</span>
  )

/** Renders dates as a list. `children` is shown below an empty list. */
export const Agenda = ({ dated, to, children }: { dated: readonly Dated[]; to: string; children?: Child }) =>
  dated.length === 0 ? (
    <Empty>
      <p>No article has a date in this month.</p>
      {children}
    </Empty>
  ) : (
    <ul class="rows">
      {dated.map((one) => (
        <li>
          {one.words ? <KindPill words={one.words} /> : <StatePill article={one.article} />}
          <div>
            <a class="name" href={sitePath(one.article.project_id, `articles/${one.article.id}`)} dir="auto">
              {titleOf(one.article)}
            </a>
            <p>
              <When at={one.article.at} day={one.day} time={one.time} siteName={one.siteName} />. {one.words?.sentence}
            </p>
          </div>
          {isMovable(one.article) ? <MoveForm {...one} to={to} /> : <span />}
        </li>
      ))}
    </ul>
  )

export const Posts = ({ posts }: { posts: readonly DatedPost[] }) =>
  posts.length === 0 ? null : (
    <Card title="Posts on networks" note="out, or to come">
      <ul class="rows two">
        {posts.map(({ post, network, day, time, siteName }) => (
          <li>
            <div>
              <a class="name" href={sitePath(post.project_id, `social/${post.id}`)} dir="auto">
                {post.content}
              </a>
              <p>
                <When at={post.at} day={day} time={time} siteName={siteName} />
              </p>
            </div>
            <Pill tone={post.is_out ? 'good' : 'plain'} shape={post.is_out ? '◉' : '○'}>
              {post.is_out ? `${network}, out` : network}
            </Pill>
          </li>
        ))}
      </ul>
    </Card>
  )

export const Tray = ({ undated }: { undated: readonly Listed[] }) => (
  <Card title="Without a date" note="choose a date for each">
    {undated.length === 0 ? (
      <Empty>Every draft has a date.</Empty>
    ) : (
      <ul class="rows">
        {undated.map((article) => (
          <li>
            <StatePill article={article} />
            <a
              class="tile"
              href={sitePath(article.project_id, `articles/${article.id}`)}
              draggable={isMovable(article)}
              data-move={sitePath(article.project_id, `articles/${article.id}/date`)}
              data-day=""
              data-time="09:00"
              data-version={etagOf(new Date(article.updated_at), article.revision)}
            >
              <b dir="auto">{titleOf(article)}</b>
            </a>
            <For right="edit">{isMovable(article) && <MoveForm article={article} day="" time="" to="calendar" />}</For>
          </li>
        ))}
      </ul>
    )}
  </Card>
)
