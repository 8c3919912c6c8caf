import type { Hono } from 'hono'
import { CARE_RULES, type CareRule } from '../../../schema/values/care.ts'
import { careReport } from '../../insights/care/report.ts'
import { ctxOf } from '../ctx.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { Empty } from '../parts.tsx'
import { type SiteFront, siteIdIn, withQuery, withSite } from './front.ts'
import { Card } from './parts.tsx'

/** Title and advice of each rule, for people. */
const RULES: Record<CareRule, readonly [title: string, what: string]> = {
  falling: ['Falling in search', 'Find suggestions: a rewrite is proposed.'],
  silent: ['Shown in search, never clicked', 'Find suggestions: a rewrite is proposed.'],
  competing: ['Two posts for one search', 'Find suggestions: one of them is given another subject.'],
  not_indexed: ['Not listed by Google', 'The page of the article says why.'],
  thin: ['Short', 'Write more, or join it with another post.'],
  no_description: ['Without a description', 'Search engines show it below the title.'],
  no_alternative_text: ['Pictures without words', 'Say what each picture shows.'],
  broken_links: ['Broken links', 'Readers reach a page that is not there.'],
  broken_pictures: ['Broken pictures', 'The receipt on the page of the article names them.'],
  no_internal_links: ['No link to your own pages', 'The editor proposes pages to link to.'],
  orphan: ['Not linked from anywhere', 'Link to it from articles on the same subject.'],
  out_of_date: ['Out of date', 'The title names a past year.'],
  other_language: ['In another language', 'The text is not in the language of the site.'],
}

/** Articles of a rule on the page of all rules, and on its own page. */
const [FEW, MANY] = [5, 100]

type Found = Awaited<ReturnType<typeof careReport>>['rules'][number]

const Rule = ({ site, found: { rule, count, articles }, here }: { site: number; found: Found; here: string }) => {
  const [title, what] = RULES[rule]
  return (
    <Card title={title} note={`${count} ${count === 1 ? 'article' : 'articles'}`}>
      <p class="in hint">{what}</p>
      <ul class="rows two">
        {articles.map((one) => (
          <li>
            <div>
              <a class="name" href={sitePath(site, `articles/${one.article_id}`)} dir="auto">
                {one.title}
              </a>
              <p>{one.reason}</p>
            </div>
            <a
              class="button plain"
              href={sitePath(site, `articles/${one.article_id}`)}
              aria-label={`Open: ${one.title}, ${title}`}
            >
              Open
            </a>
          </li>
        ))}
      </ul>
      {articles.length < count && articles.length < MANY && (
        <p class="in">
          <a href={withQuery(here, { rule })}>Show more of these</a>
        </p>
      )}
    </Card>
  )
}

const page = async (c: PagesContext, front: SiteFront) => {
  const rule = CARE_RULES.find((one) => one === c.req.query('rule'))
  const wanted = rule ? { rule: [rule], limit: MANY } : { limit: FEW }
  const [site, report] = await withSite(c, careReport(ctxOf(c, front), siteIdIn(c), wanted))
  const here = sitePath(site.id, 'care')
  return await show(c, front, {
    title: rule ? RULES[rule][0] : 'What needs care',
    menu: true,
    page: 'articles',
    site: site.id,
    body: (
      <>
        <p>
          {rule ? (
            <a href={here}>All that needs care</a>
          ) : (
            <>
              Published articles in which a reader or a search engine would miss something. Nothing is changed or sent
              by itself. <a href={sitePath(site.id, 'articles')}>All articles</a>
            </>
          )}
        </p>
        {!report.has_search_data && (
          <p class="hint">
            There is no search data yet, so nothing is said about search.{' '}
            <a href={sitePath(site.id, 'search')}>Connect Search Console</a>
          </p>
        )}
        {report.rules.length === 0 ? (
          <Empty>
            {report.published === 0 ? (
              <>
                Nothing is published yet. <a href={sitePath(site.id, 'posts')}>Look after posts that the site has</a>
              </>
            ) : (
              `${report.published} published ${report.published === 1 ? 'article was' : 'articles were'} looked at. None needs care.`
            )}
          </Empty>
        ) : (
          <div class="cards">
            {report.rules.map((found) => (
              <Rule site={site.id} found={found} here={here} />
            ))}
          </div>
        )}
      </>
    ),
  })
}

/** Adds the page of published articles that need care. */
export const carePages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/care', signedIn(front), (c) => page(c, front))
}
