import { etagOf } from '../../../platform/lib/etag.ts'
import { sitePath } from '../../menu.ts'
import { Empty, For, Moment, Pill } from '../../parts.tsx'
import type { Site } from '../../shell-queries.ts'
import { Card } from '../parts.tsx'
import type { Listed } from '../queries.ts'
import { KindPill, StatePill, titleOf } from '../states.tsx'
import { type Dated, type DatedPost, isMovable } from './dated.ts'

const MoveForm = ({ site, dated: { article, day, time } }: { site: Site; dated: Dated }) => (
  <details>
    <summary>{day === '' ? 'Choose a date' : 'Move'}</summary>
    <form class="row" method="post" action={sitePath(site.id, `articles/${article.id}/date`)}>
      <input type="hidden" name="version" value={etagOf(new Date(article.updated_at), article.revision)} />
      <input type="hidden" name="to" value="calendar" />
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

export const Agenda = ({ site, dated }: { site: Site; dated: readonly Dated[] }) =>
  dated.length === 0 ? (
    <Empty>
      <p>Nothing goes out in these weeks.</p>
      <For right="edit">
        <a href={sitePath(site.id, 'plan')}>Plan an article</a>
      </For>
    </Empty>
  ) : (
    <ul class="rows">
      {dated.map((one) => (
        <li>
          {one.words ? <KindPill words={one.words} /> : <StatePill article={one.article} />}
          <div>
            <a class="name" href={sitePath(site.id, `articles/${one.article.id}`)} dir="auto">
              {titleOf(one.article)}
            </a>
            <p>
              <Moment at={new Date(one.article.scheduled_at ?? 0)} bare />. {one.words?.sentence}
            </p>
          </div>
          {isMovable(one.article) ? <MoveForm site={site} dated={one} /> : <span />}
        </li>
      ))}
    </ul>
  )

export const Posts = ({ posts }: { posts: readonly DatedPost[] }) =>
  posts.length === 0 ? null : (
    <Card title="Posts on networks" note="each goes out at its time">
      <ul class="rows two">
        {posts.map(({ post, network }) => (
          <li>
            <div>
              <span dir="auto">{post.content}</span>
              <p>
                <Moment at={new Date(post.scheduled_for)} bare />
              </p>
            </div>
            <Pill shape="○">{network}</Pill>
          </li>
        ))}
      </ul>
    </Card>
  )

export const Tray = ({ site, undated }: { site: Site; undated: readonly Listed[] }) => (
  <Card title="Without a date" note="drag one onto a day, or choose a date">
    {undated.length === 0 ? (
      <Empty>Every draft has a date.</Empty>
    ) : (
      <ul class="rows">
        {undated.map((article) => (
          <li>
            <StatePill article={article} />
            <a
              class="tile"
              href={sitePath(site.id, `articles/${article.id}`)}
              draggable={isMovable(article)}
              data-move={sitePath(site.id, `articles/${article.id}/date`)}
              data-day=""
              data-time="09:00"
              data-version={etagOf(new Date(article.updated_at), article.revision)}
            >
              <b dir="auto">{titleOf(article)}</b>
            </a>
            <For right="edit">
              {isMovable(article) && <MoveForm site={site} dated={{ article, day: '', time: '', words: undefined }} />}
            </For>
          </li>
        ))}
      </ul>
    )}
  </Card>
)
