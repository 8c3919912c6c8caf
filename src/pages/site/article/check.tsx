import type { SeoReport } from '../../../../schema/values/seo.ts'
import type { ArticleDetail } from '../../../content/articles/read.ts'
import { Empty } from '../../parts.tsx'
import { forPeople } from '../../words.ts'
import { Card, MarkPill } from '../parts.tsx'
import { placesOf } from './places.ts'

const SEVERITIES = {
  error: ['bad', '▲', 'Must'],
  warning: ['warn', '!', 'Should'],
  notice: ['plain', '○', 'Could'],
} as const

const Finding = ({ content, failure }: { content: string; failure: SeoReport['failed'][number] }) => {
  return (
    <li>
      <MarkPill mark={SEVERITIES[failure.severity]} />
      <div>
        {failure.message}
        <p>{forPeople(failure.fix)}</p>
        {placesOf(content, failure).map(({ before, found, after }) => (
          <p dir="auto">
            {before}
            <mark>{found}</mark>
            {after}
          </p>
        ))}
      </div>
    </li>
  )
}

export const CheckTab = ({ article: { seo, content } }: { article: ArticleDetail }) =>
  seo === null ? (
    <Empty>The text is checked when it is saved. There is none yet.</Empty>
  ) : (
    <Card
      title={`${seo.score} of 100`}
      note={`${seo.passed.length} of ${seo.passed.length + seo.failed.length} checks passed`}
    >
      {seo.failed.length === 0 ? (
        <p class="in">Nothing to correct.</p>
      ) : (
        <ul class="rows">
          {seo.failed.map((failure) => (
            <Finding content={content} failure={failure} />
          ))}
        </ul>
      )}
    </Card>
  )
