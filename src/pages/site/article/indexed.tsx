import type { IndexState } from '../../../../schema/values/indexing.ts'
import { indexAnswer } from '../../../content/articles/index-answer.ts'
import type { ArticleDetail } from '../../../content/articles/read.ts'
import type { PagesContext } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { ActionButton, For, Moment } from '../../parts.tsx'
import { Card, ConnectSearch, type Mark, MarkPill } from '../parts.tsx'
import { isLive, pathOf } from './load.ts'

/** Colour, shape and words of each state in Google's index. */
export const INDEX_MARKS: Record<IndexState, Mark> = {
  indexed: ['good', '●', 'Listed'],
  crawled: ['warn', '◐', 'Read, not listed'],
  discovered: ['warn', '○', 'Known, not read'],
  unknown: ['warn', '○', 'Not known'],
  blocked: ['bad', '▲', 'Kept out'],
  canonical_elsewhere: ['bad', '▲', 'Another page instead'],
  unreachable: ['bad', '▲', 'Not readable'],
  other: ['warn', '◐', 'Unclear'],
  not_measured: ['plain', '○', 'Not known yet'],
}

const EnginesTold = ({ told: { at, answer } }: { told: NonNullable<ArticleDetail['enginesTold']> }) =>
  answer < 300 ? (
    <>
      Bing, Yandex and others were told about the page: <Moment at={new Date(at)} />.
    </>
  ) : (
    <>
      Bing, Yandex and others refused the report about the page ({answer}): <Moment at={new Date(at)} />.
    </>
  )

/** Renders whether Google lists the page of a live article, and a button that asks Google now. */
export const IndexedCard = ({ c, article }: { c: PagesContext; article: ArticleDetail }) => {
  if (!isLive(article) || !article.url) return null
  const index = indexAnswer(article)
  return (
    <Card title="In Google’s index" note={index.looked_at ? <Moment at={new Date(index.looked_at)} /> : undefined}>
      <p class="in">
        <MarkPill mark={INDEX_MARKS[index.state]} /> {index.google_says}
      </p>
      {index.state === 'canonical_elsewhere' && index.google_canonical && (
        <p class="in">Google lists {index.google_canonical} instead.</p>
      )}
      {index.last_crawl_at && (
        <p class="in hint">
          Google last read the page: <Moment at={new Date(index.last_crawl_at)} />. The state is of that copy.
        </p>
      )}
      {index.sandbox && <p class="in hint">A stand-in for Google made this up.</p>}
      {article.canBeInspected ? (
        <>
          {!index.looked_at && <p class="in hint">Google is asked 1, 3, 7, 14 and 28 days after publication.</p>}
          {index.looked_at && index.why_not_measured && <p class="in hint">{index.why_not_measured}</p>}
          <For right="edit">
            <div class="in row">
              <ActionButton action={pathOf(c, '/inspect')} label="Ask Google now" name="" fields={{}} />
            </div>
          </For>
        </>
      ) : (
        <div class="in">
          <p>With Google Search Console connected you see here whether Google lists the page.</p>
          <ConnectSearch site={article.projectId} />
        </div>
      )}
      <p class="in">
        {article.enginesTold && <EnginesTold told={article.enginesTold} />}{' '}
        <a href={sitePath(article.projectId, 'search-engines')}>Reports to other search engines</a>
      </p>
      <p class="in">
        <a href={sitePath(article.projectId, `crawlers?article=${article.id}`)}>
          Which search engines and AI services may read it?
        </a>
      </p>
    </Card>
  )
}
