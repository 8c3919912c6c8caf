import { etagOf } from '../../../platform/lib/etag.ts'
import { sitePath } from '../../menu.ts'
import { dayText } from '../../zone.ts'
import { stateOf, titleOf } from '../states.tsx'
import { type Dated, type DatedPost, isMovable } from './dated.ts'
import { type Month, monthText } from './rules.ts'

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
        <ul>
          {dated
            .filter((one) => one.day === day)
            .map((one) => (
              <li>
                <Tile {...one} />
              </li>
            ))}
          {posts
            .filter((one) => one.day === day)
            .map(({ time, network, post, siteName }) => (
              <li>
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
              </li>
            ))}
        </ul>
      </li>
    ))}
  </ol>
)
