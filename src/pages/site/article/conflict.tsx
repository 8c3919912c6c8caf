import { raw } from 'hono/html'
import { differenceOf } from '../../../insights/suggestions/difference.ts'
import type { ApiError } from '../../../platform/lib/errors.ts'
import { etagOf } from '../../../platform/lib/etag.ts'
import type { PagesContext } from '../../front.tsx'
import { wordsOf } from '../../words.ts'
import type { SiteFront } from '../front.ts'
import { Card } from '../parts.tsx'
import { frame } from './frame.tsx'
import { load, pathOf } from './load.ts'
import { TextForm, type Typed } from './text.tsx'

/** Shows both texts when somebody else saved meanwhile: what was typed is not lost, and nothing was overwritten. */
export const conflictPage = async (c: PagesContext, front: SiteFront, typed: Typed) => {
  const loaded = await load(c, front, '')
  const { article } = loaded
  const { html, stats } = differenceOf(article.content, typed.content)
  return await frame(c, front, loaded, {
    tab: '',
    status: 412,
    notice: {
      tone: 'warn',
      text: 'Somebody saved the article while you wrote. Nothing of yours was saved yet, and nothing is lost: both texts are below.',
    },
    body: (
      <div class="cards">
        <Card title="From the saved text to yours" note={`${stats.added} words more, ${stats.removed} fewer`}>
          <div class="in prose" dir="auto">
            {raw(html)}
          </div>
        </Card>
        <Card title="Your text" note="saving it now replaces the other one, which is kept as a version">
          <TextForm c={c} article={article} typed={typed} tag={etagOf(article.updatedAt, article.revision)} />
        </Card>
        <p class="in">
          <a href={pathOf(c)}>Leave yours, keep the saved text</a>
        </p>
      </div>
    ),
  })
}

/** Shows what was typed once more, with the reason for which it was not saved. */
export const refusedPage = async (c: PagesContext, front: SiteFront, typed: Typed, version: string, why: ApiError) => {
  const loaded = await load(c, front, '')
  return await frame(c, front, loaded, {
    tab: '',
    status: 400,
    notice: { tone: 'bad', text: wordsOf(why) },
    body: (
      <Card title="Your text" note="it is not saved yet">
        <TextForm c={c} article={loaded.article} typed={typed} tag={version} />
      </Card>
    ),
  })
}

/** A text could not be saved, so it is shown again. */
export class Unsaved extends Error {
  readonly why: ApiError
  constructor(why: ApiError) {
    super(why.message)
    this.name = 'Unsaved'
    this.why = why
  }
}
