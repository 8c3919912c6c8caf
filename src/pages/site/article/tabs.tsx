import { raw } from 'hono/html'
import type { SeoReport } from '../../../../schema/values/seo.ts'
import type { ArticleDetail } from '../../../content/articles/read.ts'
import { getRevision } from '../../../content/articles/revisions.ts'
import { decodeReferences } from '../../../content/html/references.ts'
import { shownWords } from '../../../content/html/shown.ts'
import { differenceOfWordings } from '../../../insights/suggestions/difference.ts'
import { ctxOf } from '../../ctx.ts'
import type { PagesContext } from '../../front.tsx'
import { Empty, For, Moment, Pill } from '../../parts.tsx'
import { forPeople } from '../../words.ts'
import { numberIn, type SiteFront } from '../front.ts'
import { Card, MarkPill } from '../parts.tsx'
import { frame } from './frame.tsx'
import { isLive, load, pathOf, type Versions } from './load.ts'

type Failure = SeoReport['failed'][number]

/** Passage in which a check found something: the text before it, the match, and the text after it. */
type Place = { before: string; found: string; after: string }

const AROUND = 60
const MOST = 5

/** Returns the visible words of HTML, then the addresses of its links and pictures. */
const readable = (html: string): string => {
  const addresses = [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address = '']) => decodeReferences(address))
  return [...shownWords(html), ...addresses].join(' ')
}

/** Returns the passages that the message of a finding quotes, at most five. */
export const placesOf = (html: string, { message }: Pick<Failure, 'message'>): Place[] => {
  const named = [...message.matchAll(/"([^"]{2,80})"/g)].map(([, words = '']) => words.replace(/…$/, ''))
  if (named.length === 0) return []
  const text = readable(html)
  const lower = text.toLowerCase()
  return named
    .flatMap((words) => {
      const at = lower.indexOf(words.toLowerCase())
      if (at === -1) return []
      const end = at + words.length
      return [
        {
          before: `${at > AROUND ? '…' : ''}${text.slice(Math.max(0, at - AROUND), at)}`,
          found: text.slice(at, end),
          after: `${text.slice(end, end + AROUND)}${end + AROUND < text.length ? '…' : ''}`,
        },
      ]
    })
    .slice(0, MOST)
}

const SEVERITIES = {
  error: ['bad', '▲', 'Must'],
  warning: ['warn', '!', 'Should'],
  notice: ['plain', '○', 'Could'],
} as const

/** Returns the message of a finding in the words of the pages. */
const forSites = (message: string): string => message.replace('; the project asks', '; the site asks')

const Finding = ({ content, failure }: { content: string; failure: SeoReport['failed'][number] }) => {
  return (
    <li>
      <MarkPill mark={SEVERITIES[failure.severity]} />
      <div>
        {forSites(failure.message)}
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

/** Returns the findings that must be corrected before an article is published. */
export const mustOf = ({ seo }: Pick<ArticleDetail, 'seo'>): readonly Failure[] =>
  (seo?.failed ?? []).filter(({ severity }) => severity === 'error')

/** Renders the findings that must be corrected, before an article is published with them. */
export const MustList = ({ must, edit }: { must: readonly Failure[]; edit: string }) => (
  <>
    <p>
      The check found {must.length === 1 ? 'a fault' : `${must.length} faults`} that must be corrected. Nothing was sent
      yet. <a href={edit}>Change the text</a>
    </p>
    <ul>
      {must.map(({ message }) => (
        <li>{forSites(message)}</li>
      ))}
    </ul>
  </>
)

/** Renders the result of the article's check. */
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

/** Renders a page of the article's versions. */
export const VersionsTab = ({ c, versions }: { c: PagesContext; versions: Versions }) => (
  <Card title="Versions" note="newest first">
    <ul class="rows two">
      {versions.rows.map((version) => (
        <li>
          <div>
            <a class="name" href={pathOf(c, `/versions/${version.id}`)} dir="auto">
              {version.title}
            </a>
            <p>
              Version {version.id}, <Moment at={new Date(version.saved_at)} />,{' '}
              {version.content_length.toLocaleString('en-US')} characters
            </p>
          </div>
          {version.current ? (
            <Pill tone="good" shape="●">
              Now
            </Pill>
          ) : (
            <a class="button plain" href={pathOf(c, `/versions/${version.id}`)}>
              Compare
            </a>
          )}
        </li>
      ))}
    </ul>
    {versions.page.before_id !== null && (
      <p class="pages">
        <a href={pathOf(c, `?tab=versions&before=${versions.page.before_id}`)}>Older versions</a>
      </p>
    )}
  </Card>
)

/** Shows a version of an article beside the current one. */
export const versionPage = async (c: PagesContext, front: SiteFront) => {
  const number = numberIn(c, 'revision')
  const [loaded, version] = await Promise.all([
    load(c, front, ''),
    getRevision(ctxOf(c, front), numberIn(c, 'article'), number),
  ])
  const { article } = loaded
  const now = { title: article.title, meta_description: article.metaDescription, content: article.content }
  const { html, stats } = differenceOfWordings(version, now)
  return await frame(c, front, loaded, {
    tab: 'versions',
    body: (
      <Card
        title={`Version ${number} against now`}
        note={
          version.current
            ? 'this is the text as it is now'
            : `since then ${stats.added} words were added and ${stats.removed} removed`
        }
      >
        {!version.current && (
          <For right="edit">
            <form class="in row" method="post" action={pathOf(c, '/restore')}>
              <input type="hidden" name="revision" value={String(number)} />
              <button class="plain" type="submit">
                {isLive(article) ? 'Restore it and send it to the site' : 'Restore this version'}
              </button>
              <span class="hint">The text as it is now stays as a version.</span>
            </form>
          </For>
        )}
        <div class="in prose" dir="auto">
          {raw(html)}
        </div>
      </Card>
    ),
  })
}
