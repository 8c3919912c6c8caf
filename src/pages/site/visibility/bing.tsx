import type { Hono } from 'hono'
import { MAX_FILE } from '../../../insights/visibility/bing/file.ts'
import { type bingReport, importBing } from '../../../insights/visibility/bing/import.ts'
import { visibilityOperations } from '../../../insights/visibility/operations.ts'
import { ctxOf } from '../../ctx.ts'
import { type PagesContext, type PagesEnv, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { Empty, For } from '../../parts.tsx'
import { Numbers } from '../chart.tsx'
import { textIn } from '../csv/pages.tsx'
import { act, type SiteFront, siteIn } from '../front.ts'
import { Card } from '../parts.tsx'

type Report = Awaited<ReturnType<typeof bingReport>>

const KINDS = { pages: 'by page', queries: 'by grounding query', days: 'by day' } as const

const Figures = ({ report: { pages, queries, days } }: { report: Report }) => (
  <div class="in">
    {days && (
      <p>
        {days.citations} citations in {days.total} days, from {days.from} to {days.to}.
      </p>
    )}
    {pages && (
      <Numbers
        caption={`Your pages in Copilot and Bing’s AI answers, ${pages.from} to ${pages.to}`}
        heads={['Page', 'Citations']}
        rows={pages.rows.map(({ url, citations }) => [url, citations])}
      />
    )}
    {queries && (
      <Numbers
        caption={`What the AI searched for when it cited you, ${queries.from} to ${queries.to}`}
        heads={['Search', 'Citations']}
        rows={queries.rows.map(({ query, citations }) => [query, citations])}
      />
    )}
  </div>
)

/** Renders what Bing's AI performance report said, and the form that imports a file of it. */
export const BingCard = ({ here, report }: { here: string; report: Report }) => (
  <Card title="Copilot and Bing" note="by the files of Bing Webmaster Tools">
    {report.files.length > 0 ? (
      <Figures report={report} />
    ) : (
      <Empty>
        <p>Bing counts how often its AI answers cite you. It has no interface for programs, so send its file here.</p>
      </Empty>
    )}
    <For right="manage">
      <form class="stack in narrow" method="post" action={`${here}/bing`} enctype="multipart/form-data">
        <p class="hint">
          In Bing Webmaster Tools open “AI Performance”, choose a period and export it as CSV: by page, by grounding
          query or by day.
        </p>
        <label>
          File
          <input type="file" name="file" accept=".csv,text/csv" required />
        </label>
        <p class="hint">A file by day has its dates. For the others give the period that you chose.</p>
        <label>
          First day
          <input type="date" name="from" />
        </label>
        <label>
          Last day
          <input type="date" name="to" />
        </label>
        <div class="row">
          <button class="plain" type="submit">
            Import the file
          </button>
        </div>
      </form>
    </For>
  </Card>
)

const send = async (c: PagesContext, front: SiteFront) => {
  const site = await siteIn(c)
  const form = await c.req.formData().catch(() => undefined)
  const file = form?.get('file')
  return await act(c, front, sitePath(site.id, 'visibility'), async () => {
    if (!(file instanceof File) || file.size === 0) return { tone: 'bad', text: 'Choose a file.' }
    if (file.size > MAX_FILE)
      return { tone: 'bad', text: `The file is larger than ${MAX_FILE / 1000} kB. Choose a shorter period.` }
    const text = await textIn(file)
    if (text === undefined) return { tone: 'bad', text: 'It is no text in UTF-8. Export it as CSV.' }
    const dates = Object.fromEntries(
      ['from', 'to'].flatMap((name) => {
        const value = form?.get(name)
        return typeof value === 'string' && value !== '' ? [[name, value]] : []
      }),
    )
    const input = visibilityOperations.importBing.json.safeParse({ project_id: site.id, file: text, ...dates })
    if (!input.success) return { tone: 'bad', text: input.error.issues.map(({ message }) => message).join('. ') }
    const { status, kind, rows, columns, from, to } = await importBing(ctxOf(c, front), input.data)
    return status === 'unchanged'
      ? 'This file was imported already. Nothing was changed.'
      : `Imported ${rows} lines ${KINDS[kind]}, ${from} to ${to}, from the columns ${columns.name} and ${columns.citations}.`
  })
}

/** Adds the form that imports a file of Bing's AI performance report. */
export const bingPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.post('/p/:site/visibility/bing', signedIn(front), (c) => send(c, front))
}
