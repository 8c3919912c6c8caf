import type { Hono } from 'hono'
import { BIN_DAYS } from '../../../schema/values/retention.ts'
import { BIN_SHOWN, listBin, restoreFromBin } from '../../content/articles/bin.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import { ctxOf, idIn } from '../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { ActionButton, Empty, Moment, Table } from '../parts.tsx'
import { actorName, namesOfActors } from '../settings/actors.ts'
import { act, type SiteFront, siteIdIn, siteIn, withSite } from './front.ts'

const page = async (c: PagesContext, front: SiteFront) => {
  const site = siteIdIn(c)
  const ctx = ctxOf(c, front)
  const [, rows] = await withSite(c, listBin(ctx, site))
  const names = await namesOfActors(ctx, [...new Set(rows.map(({ deletedBy }) => deletedBy))])
  const path = sitePath(site, 'bin')
  return await show(c, front, {
    title: 'Bin',
    menu: true,
    page: 'articles',
    site,
    body: (
      <>
        <p>
          Deleted articles stay here for {BIN_DAYS} days. An article that you take out is a draft without a date. What a
          site shows of it never changed. <a href={sitePath(site, 'articles')}>Back to the articles</a>
        </p>
        {rows.length === 0 ? (
          <Empty>
            <p>The bin is empty.</p>
          </Empty>
        ) : (
          <section class="card">
            <Table
              caption={rows.length === BIN_SHOWN ? `The last ${BIN_SHOWN} deleted articles` : 'Deleted articles'}
              heads={['Article', 'Deleted', 'By', 'Kept until', '']}
              rows={rows.map(({ id, title, deletedAt, deletedBy }) => [
                <span dir="auto">{title}</span>,
                <Moment at={deletedAt} bare />,
                actorName(names, deletedBy),
                <Moment at={new Date(deletedAt.getTime() + BIN_DAYS * DAY_MS)} bare />,
                <ActionButton
                  action={`${path}/restore`}
                  label="Take out"
                  name={title}
                  fields={{ article: String(id) }}
                />,
              ])}
            />
          </section>
        )}
      </>
    ),
  })
}

/** Adds the bin of a site’s deleted articles. */
export const binPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/bin', signedIn(front), (c) => page(c, front))
  app.post('/p/:site/bin/restore', signedIn(front), async (c) => {
    const { article } = await formOf(c)
    const site = (await siteIn(c)).id
    const path = sitePath(site, `articles/${idIn(article)}`)
    return await act(c, front, path, async () => {
      const isOut = await restoreFromBin(ctxOf(c, front), idIn(article), site)
      return isOut
        ? 'The article is out of the bin. It is a draft without a date.'
        : { tone: 'bad', text: 'Something else changed at the same moment. Look at the article, or try again.' }
    })
  })
}
