import { raw } from 'hono/html'
import { getRevision } from '../../../content/articles/revisions.ts'
import { differenceOfWordings } from '../../../insights/suggestions/difference.ts'
import { ctxOf } from '../../ctx.ts'
import type { PagesContext } from '../../front.tsx'
import { For, Moment, Pill } from '../../parts.tsx'
import { numberIn, type SiteFront } from '../front.ts'
import { Card } from '../parts.tsx'
import { frame } from './frame.tsx'
import { isLive, load, pathOf, type Versions } from './load.ts'

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
