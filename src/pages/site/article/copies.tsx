import type { CopyState } from '../../../../schema/values/publishing.ts'
import type { ArticleDetail } from '../../../content/articles/read.ts'
import type { PagesContext } from '../../front.tsx'
import { For, Moment, Pill, Table, type Tone } from '../../parts.tsx'
import { forPeople } from '../../words.ts'
import { pathOf } from './load.ts'

const STATES: Readonly<Record<CopyState, readonly [Tone, string]>> = {
  waiting: ['plain', 'Waits until readers see the article'],
  sending: ['accent', 'Is being sent'],
  retrying: ['warn', 'Is sent again'],
  unknown: ['warn', 'May have arrived'],
  published: ['good', 'Is there'],
  failed: ['bad', 'Failed'],
  removed: ['plain', 'Taken down'],
}

/** Renders the copies of an article at other places; nothing without any. */
export const Copies = ({ c, article }: { c: PagesContext; article: ArticleDetail }) =>
  article.copies.length === 0 ? null : (
    <>
      <h2>Copies at other places</h2>
      <Table
        caption="Sent once readers see the article on your site"
        heads={['Name', 'State', 'Last change']}
        rows={article.copies.map(({ name, state, url, error, updated_at: at }) => {
          const [tone, words] = STATES[state]
          return [
            url === null ? (
              name
            ) : (
              <a href={url} rel="noreferrer nofollow">
                {name}
              </a>
            ),
            <>
              <Pill tone={tone}>{words}</Pill>
              {error !== null && <span class="day">{forPeople(error)}</span>}
            </>,
            <Moment at={new Date(at)} />,
          ]
        })}
      />
      {article.copies.some(({ state }) => state === 'failed') && (
        <For right="edit">
          <form method="post" action={pathOf(c, '/copies')}>
            <button class="plain" type="submit">
              Send what failed again
            </button>
          </form>
        </For>
      )}
    </>
  )
