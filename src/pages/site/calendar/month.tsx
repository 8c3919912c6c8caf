import type { Child } from 'hono/jsx'
import { etagOf } from '../../../platform/lib/etag.ts'
import { sitePath } from '../../menu.ts'
import { Empty, For, Moment, Pill } from '../../parts.tsx'
import { dayText } from '../../zone.ts'
import { Card } from '../parts.tsx'
import type { Listed } from '../queries.ts'
import { KindPill, StatePill, stateOf, titleOf } from '../states.tsx'
import { type Dated, type DatedPost, isMovable, type Month, monthText } from './rules.ts'

/**
 * Script of the calendar. Dropping a tile on a day, or moving it with Alt and an arrow key, sends the page's form for
 * dates.
 *
 * The response is the page itself. After a refusal, the tile is in its old place and the notice has the reason.
 */
export const CALENDAR_SCRIPT = `
const form = document.getElementById('move')
const said = document.getElementById('said')
const later = (day, n) => new Date(Date.parse(day + 'T00:00:00Z') + n * 864e5).toISOString().slice(0, 10)
const move = (tile, day) => {
  if (day === tile.dataset.day) return
  if (!navigator.onLine) { said.textContent = 'You are offline. Nothing was moved.'; return }
  form.action = tile.dataset.move
  form.elements.at.value = day + 'T' + tile.dataset.time
  form.elements.version.value = tile.dataset.version
  form.submit()
}
let held
document.addEventListener('dragstart', (event) => { held = event.target.closest('.tile[data-move]') })
document.addEventListener('dragover', (event) => {
  const day = event.target.closest('[data-drop]')
  if (!held || !day) return
  event.preventDefault()
  for (const one of document.querySelectorAll('.over')) one.classList.remove('over')
  day.classList.add('over')
})
document.addEventListener('dragend', () => {
  held = undefined
  for (const one of document.querySelectorAll('.over')) one.classList.remove('over')
})
document.addEventListener('drop', (event) => {
  const day = event.target.closest('[data-drop]')
  if (!held || !day) return
  event.preventDefault()
  move(held, day.dataset.drop)
})
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
document.addEventListener('keydown', (event) => {
  const tile = event.target.closest?.('.tile[data-move]')
  if (!tile || !event.altKey || !STEPS[event.key]) return
  event.preventDefault()
  move(tile, later(tile.dataset.day || document.querySelector('.today').dataset.drop, STEPS[event.key]))
})
`

const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const Tile = ({ article, day, time, words, siteName }: Dated) => {
  const [tone, shape, word] = words ? (['', words.shape, words.word] as const) : stateOf(article)
  const move = isMovable(article)
    ? {
        draggable: true,
        'data-move': sitePath(article.project_id, `articles/${article.id}/date`),
        'data-day': day,
        'data-time': time,
        'data-version': etagOf(new Date(article.updated_at), article.revision),
      }
    : { draggable: false }
  return (
    <a
      class={`tile ${words?.tile ?? (tone === 'good' || tone === 'bad' ? tone : '')}`.trim()}
      href={sitePath(article.project_id, `articles/${article.id}`)}
      title={words?.sentence}
      {...move}
    >
      <span>
        <i aria-hidden="true">{shape}</i> {time} {word}
      </span>
      <b dir="auto">{titleOf(article)}</b>
      {siteName !== undefined && (
        <span class="site" dir="auto">
          {siteName}
        </span>
      )}
    </a>
  )
}

const PostTile = ({ time, network, post, siteName }: DatedPost) => (
  <a
    class={`tile post ${post.is_out ? 'good' : ''}`.trim()}
    href={sitePath(post.project_id, `social/${post.id}`)}
    draggable={false}
  >
    <span>
      <i aria-hidden="true">{post.is_out ? '◉' : '○'}</i> {time} {network}
      {post.is_out && ', out'}
    </span>
    <b dir="auto">{post.content}</b>
    {siteName !== undefined && (
      <span class="site" dir="auto">
        {siteName}
      </span>
    )}
  </a>
)

/** Number of tiles that a day shows at once. Those beyond it are folded. */
const MOST_SHOWN = 5

const Tiles = ({ tiles }: { tiles: readonly Child[] }) => (
  <ul>
    {tiles.map((tile) => (
      <li>{tile}</li>
    ))}
  </ul>
)

const DayTiles = ({ tiles }: { tiles: readonly Child[] }) => (
  <>
    <Tiles tiles={tiles.slice(0, MOST_SHOWN)} />
    {tiles.length > MOST_SHOWN && (
      <details>
        <summary>{tiles.length - MOST_SHOWN} more</summary>
        <Tiles tiles={tiles.slice(MOST_SHOWN)} />
      </details>
    )}
  </>
)

/** Renders a month as a grid of days, each with its articles and posts. */
export const MonthGrid = ({
  month,
  dated,
  posts,
  today,
}: {
  month: Month
  dated: readonly Dated[]
  posts: readonly DatedPost[]
  today: string
}) => (
  <ol class="month" aria-label={monthText(month.name)}>
    {WEEK.map((name) => (
      <li class="name" aria-hidden="true">
        {name}
      </li>
    ))}
    {month.days.map((day) => (
      <li class={day === today ? 'today' : day.startsWith(month.name) ? undefined : 'other'} data-drop={day}>
        <h2>
          <b>
            <span class="unseen">{dayText(day, today)}</span>
            <span aria-hidden="true">{Number(day.slice(8))}</span>
          </b>
        </h2>
        <DayTiles
          tiles={[
            ...dated.filter((one) => one.day === day).map((one) => <Tile {...one} />),
            ...posts.filter((one) => one.day === day).map((one) => <PostTile {...one} />),
          ]}
        />
      </li>
    ))}
  </ol>
)

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

/** Renders the posts of the calendar; nothing if there are none. */
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

/** Renders the drafts without a date, each with a field for one. */
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
