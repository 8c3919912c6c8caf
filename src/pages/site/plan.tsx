import type { Hono } from 'hono'
import { createArticle } from '../../content/articles/create.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { ctxOf } from '../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { backTo } from '../notice.ts'
import { Field } from '../parts.tsx'
import { wordsOf } from '../words.ts'
import { DateCost } from './cost.tsx'
import { type SiteFront, siteIdIn, siteIn, withSite } from './front.ts'
import { readConditions } from './queries.ts'

type Sent = { keyword?: string; title?: string; at?: string }

const page = async (c: PagesContext, front: SiteFront, sent: Sent = {}, wrong?: string) => {
  const reading = readConditions(front.deps.db, c.get('person').accountId, siteIdIn(c), front.deps.now())
  const [site, conditions] = await withSite(c, reading)
  const asked = c.req.query('day') ?? ''
  const day = /^\d{4}-\d\d-\d\d$/.test(asked) ? `${asked}T${conditions?.publish_time ?? '09:00'}` : ''
  return await show(c, front, {
    title: 'Plan an article',
    menu: true,
    page: 'calendar',
    site: site.id,
    status: wrong === undefined ? 200 : 400,
    ...(wrong === undefined ? {} : { notice: { tone: 'bad', text: wrong } }),
    body: (
      <form class="stack narrow" method="post" action={sitePath(site.id, 'plan')}>
        <Field
          name="keyword"
          label="Keyword"
          hint="What people search for, in their words"
          value={sent.keyword}
          required
          maxlength={500}
        />
        <Field name="title" label="Title" hint="May be left open" value={sent.title} maxlength={500} />
        <label>
          Goes out on
          <input type="datetime-local" name="at" value={sent.at ?? day} />
          <span class="hint">By the clock of {site.zone}. Without a date the article is a draft.</span>
        </label>
        <DateCost c={c} conditions={conditions} />
        <div class="row">
          <button type="submit">Plan it</button>
          <a class="button plain" href={sitePath(site.id, 'calendar')}>
            Cancel
          </a>
        </div>
      </form>
    ),
  })
}

/** Adds the form that plans an article. */
export const planPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/plan', signedIn(front), (c) => page(c, front))
  app.post('/p/:site/plan', signedIn(front), async (c) => {
    const sent: Sent = await formOf(c)
    const site = await siteIn(c)
    const [keyword, title, at] = [sent.keyword?.trim() ?? '', sent.title?.trim() ?? '', sent.at ?? '']
    if (keyword === '' || keyword.length > 500 || title.length > 500)
      return await page(c, front, sent, 'Nothing was saved. The keyword needs 1 to 500 characters.')
    if (at !== '' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(at))
      return await page(c, front, sent, 'Nothing was saved. That is no date and time.')
    try {
      const { body: made } = await createArticle(ctxOf(c, front), {
        project_id: site.id,
        keyword,
        ...(title === '' ? {} : { title }),
        ...(at === '' ? {} : { scheduled_date: at, status: 'Planned' as const }),
      })
      const article = sitePath(site.id, `articles/${made.article_id}`)
      // Only the person writes a draft without a date, so its editor is the next page.
      return at === ''
        ? await backTo(c, front, `${article}/edit`, { tone: 'good', text: 'The draft is made. Write its text here.' })
        : await backTo(c, front, article, { tone: 'good', text: 'The article is planned.' })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return await page(c, front, sent, `Nothing was saved. ${wordsOf(error)}`)
    }
  })
}
