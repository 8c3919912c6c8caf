import type { Hono } from 'hono'
import { showBatch } from '../../../content/articles/batches/show.ts'
import { startBatch } from '../../../content/articles/batches/start.ts'
import { COLUMNS, type Wrong } from '../../../content/articles/csv.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { ctxOf, idIn } from '../../ctx.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { Pill } from '../../parts.tsx'
import { wordsOf } from '../../words.ts'
import { DateCost } from '../cost.tsx'
import { mayAct, type SiteFront, siteIdIn, siteIn, withQuery, withSite } from '../front.ts'
import { Card } from '../parts.tsx'
import { readConditions } from '../queries.ts'
import { MOST_ROWS, readFile, rowOf } from './rules.ts'

/** Most batches whose results a page shows. */
const MOST_BATCHES = 10
/** Most wrong rows that are named at once. */
const MOST_WRONG = 50

type Batch = Awaited<ReturnType<typeof showBatch>>

const Refusals = ({ wrong }: { wrong: readonly Wrong[] }) => (
  <Card title="What is wrong" note="nothing was created">
    <ul class="rows">
      {wrong.slice(0, MOST_WRONG).map(({ row, text }) => (
        <li>
          <div>
            <span class="name">{row === undefined ? 'The file' : `Row ${row}`}</span>
            <p>{text}</p>
          </div>
        </li>
      ))}
    </ul>
    {wrong.length > MOST_WRONG && <p class="in hint">And {wrong.length - MOST_WRONG} more.</p>}
  </Card>
)

const Results = ({ site, batches, again }: { site: number; batches: readonly Batch[]; again: string }) => {
  const sum = (count: (batch: Batch) => number) => batches.reduce((total, batch) => total + count(batch), 0)
  const isRunning = batches.some(({ status }) => status === 'running')
  const others = batches.flatMap(({ results }, n) =>
    results
      .filter(({ outcome }) => outcome !== 'created')
      .map((result) => ({ ...result, row: rowOf(n, result.position) })),
  )
  return (
    <Card title={isRunning ? 'The articles are being created' : 'The file was read'}>
      <p class="in">
        {sum(({ created }) => created)} of {sum(({ count }) => count)} created, {sum(({ existed }) => existed)} existed
        already, {sum(({ refused }) => refused)} refused.{' '}
        <a href={isRunning ? again : sitePath(site, 'articles')}>{isRunning ? 'Look again' : 'See the articles'}</a>
      </p>
      <ul class="rows">
        {others.map(({ row, outcome, message, article_id: article }) => (
          <li>
            <Pill tone={outcome === 'refused' ? 'bad' : 'plain'} shape={outcome === 'refused' ? '▲' : '○'}>
              {outcome === 'refused' ? 'Refused' : 'Existed'}
            </Pill>
            <div>
              <span class="name">Row {row}</span>
              <p>
                {message} {article !== null && <a href={sitePath(site, `articles/${article}`)}>See the article</a>}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Returns the ids of batches in the address. */
const batchesIn = (c: PagesContext): number[] =>
  (c.req.query('batches') ?? '')
    .split('.')
    .slice(0, MOST_BATCHES)
    .map((id) => idIn(id))
    .filter((id) => id > 0)

const page = async (c: PagesContext, front: SiteFront, wrong: readonly Wrong[] = [], status: 200 | 400 | 429 = 200) => {
  const project = siteIdIn(c)
  const ids = batchesIn(c)
  const ctx = ctxOf(c, front)
  const [site, [conditions, batches]] = await withSite(
    c,
    Promise.all([
      readConditions(front.deps.db, c.get('person').accountId, project, front.deps.now()),
      Promise.all(ids.map((id) => showBatch(ctx, id))),
    ]),
  )
  if (batches.some(({ project_id: of }) => of !== project)) throw new ApiError('not_found', 'There is no such file.')
  const here = sitePath(site.id, 'import')
  return await show(c, front, {
    title: 'Articles from a spreadsheet',
    menu: true,
    page: 'articles',
    site: site.id,
    status,
    ...(wrong.length > 0
      ? { notice: { tone: 'bad' as const, text: 'Nothing was created. See what is wrong below.' } }
      : {}),
    body: (
      <div class="cards">
        {wrong.length > 0 && <Refusals wrong={wrong} />}
        {batches.length > 0 && (
          <Results site={site.id} batches={batches} again={withQuery(here, { batches: ids.join('.') })} />
        )}
        <Card title="Send a file">
          <form class="stack in" method="post" action={here} enctype="multipart/form-data">
            <p>
              A CSV file, as spreadsheets save it. Each row becomes an article, at most {MOST_ROWS}. The first line
              names the columns; keyword is needed.
            </p>
            <p class="hint">Columns: {COLUMNS.join(', ')}. Several tags are separated by commas.</p>
            <p class="hint">
              A row with a date is planned, by the clock of {site.zone} if it names no zone; without one it is a draft.
              A known external_ref changes nothing, so a file can be sent again.
            </p>
            <label>
              File
              <input type="file" name="file" accept=".csv,text/csv" required />
            </label>
            <DateCost c={c} conditions={conditions} />
            <div class="row">
              <button type="submit">Create the articles</button>
              <a class="button plain" href={sitePath(site.id, 'articles')}>
                Cancel
              </a>
            </div>
          </form>
        </Card>
      </div>
    ),
  })
}

/** Returns the text of a file; undefined if it is not UTF-8. */
export const textIn = async (file: File): Promise<string | undefined> => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(await file.arrayBuffer())
  } catch {
    return undefined
  }
}

const send = async (c: PagesContext, front: SiteFront) => {
  const site = await siteIn(c)
  const file = (await c.req.formData().catch(() => undefined))?.get('file')
  if (!(file instanceof File) || file.size === 0) return await page(c, front, [{ text: 'Choose a file.' }], 400)
  const text = await textIn(file)
  if (text === undefined || text.includes('\0'))
    return await page(c, front, [{ text: 'It is no text in UTF-8. Save it as “CSV UTF-8”.' }], 400)
  const read = readFile(text, site.id)
  if ('wrong' in read) return await page(c, front, read.wrong, 400)
  if (!(await mayAct(c, front))) return await page(c, front, [{ text: 'Too many tries. Wait a minute.' }], 429)
  const ids: number[] = []
  try {
    for (const batch of read.batches) ids.push((await startBatch(ctxOf(c, front), batch)).batch_id)
  } catch (error) {
    if (!(error instanceof ApiError) || ids.length > 0) throw error
    return await page(c, front, [{ text: wordsOf(error) }], 400)
  }
  return c.redirect(withQuery(sitePath(site.id, 'import'), { batches: ids.join('.') }), 303)
}

/** Adds the page that creates articles from a CSV file. */
export const csvPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/import', signedIn(front), (c) => page(c, front))
  app.post('/p/:site/import', signedIn(front), (c) => send(c, front))
}
