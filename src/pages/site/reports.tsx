import type { Hono } from 'hono'
import { has } from '../../accounts/people/roles.ts'
import { listReaders, mailReportsTo } from '../../insights/reports/mail.ts'
import { MONTH } from '../../insights/reports/operations.ts'
import { deleteReport, listReports, makeReport } from '../../insights/reports/reports.ts'
import { monthText } from '../../insights/reports/words.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { ctxOf } from '../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { ActionButton, Empty, Field, For, Moment } from '../parts.tsx'
import { MonthTable } from '../report.tsx'
import { act, type SiteFront, siteIdIn, withSite } from './front.ts'
import { Card } from './parts.tsx'

const PATH = 'reports'

type Report = Awaited<ReturnType<typeof listReports>>['reports'][number]

type Reader = Awaited<ReturnType<typeof listReaders>>[number]

const Recipients = ({ here, readers }: { here: string; readers: readonly Reader[] }) => (
  <Card title="By mail" note="on the first of each month">
    <form method="post" action={`${here}/mail`} class="stack in">
      <p>The report of the last month goes to the chosen people, at 8 o’clock by the clock of the site.</p>
      {readers.map(({ id, email, wants }) => (
        <label class="check">
          <input type="checkbox" name={id} value="on" checked={wants} />
          <span>{email}</span>
        </label>
      ))}
      <div class="row">
        <button type="submit">Save</button>
      </div>
    </form>
  </Card>
)

const ReportCard = ({ here, report }: { here: string; report: Report }) => {
  const month = monthText(report.month)
  return (
    <Card
      title={month}
      note={
        <>
          made <Moment at={new Date(report.made_at)} />
        </>
      }
    >
      <MonthTable figures={report.figures} />
      <For right="manage">
        <div class="in row">
          <ActionButton action={here} label="Make a new link" name={`to ${month}`} fields={{ month: report.month }} />
          <ActionButton action={`${here}/${report.month}/delete`} label="Delete" name={month} fields={{}} danger />
        </div>
      </For>
    </Card>
  )
}

const page = async (c: PagesContext, front: SiteFront) => {
  const ctx = ctxOf(c, front)
  const mayChoose = has(c.get('person').role, 'manage')
  const [site, [{ reports }, readers]] = await withSite(
    c,
    Promise.all([listReports(ctx, siteIdIn(c)), mayChoose ? listReaders(ctx, siteIdIn(c)) : []]),
  )
  const here = sitePath(site.id, PATH)
  return await show(c, front, {
    title: 'Monthly reports',
    menu: true,
    page: 'search',
    site: site.id,
    body: (
      <div class="cards">
        <For right="manage">
          <Card title="Make a report">
            <form method="post" action={here} class="stack in">
              <p>
                The figures of a month, on a page for everybody who has its link. They stay as they are. Google’s
                numbers of the last days come three days later, so make it from the fourth day of the next month on.
              </p>
              <Field name="month" label="Month" hint="Such as 2026-10. Empty: the last month" maxlength={7} />
              <div class="row">
                <button type="submit">Make it</button>
              </div>
            </form>
          </Card>
        </For>
        {mayChoose && <Recipients here={here} readers={readers} />}
        {reports.length === 0 ? (
          <Empty>No report was made yet.</Empty>
        ) : (
          reports.map((report) => <ReportCard here={here} report={report} />)
        )}
        {reports.length > 0 && (
          <p class="hint">A new link ends the earlier one. Deleting a report ends its link; it can be made again.</p>
        )}
      </div>
    ),
  })
}

const monthIn = (given: string): string => {
  if (!MONTH.test(given)) throw invalidInput([{ field: 'month', message: 'must be a month, such as 2026-10' }])
  return given
}

/** Adds the page of a site's monthly reports. */
export const siteReportsPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get(`/p/:site/${PATH}`, signedIn(front), (c) => page(c, front))
  app.post(`/p/:site/${PATH}`, signedIn(front), async (c) => {
    const [{ id }, { month = '' }] = await withSite(c, formOf(c))
    return await act(c, front, sitePath(id, PATH), async () => {
      const given = month.trim()
      const made = await makeReport(ctxOf(c, front), id, given === '' ? {} : { month: monthIn(given) })
      return {
        tone: 'good',
        text: `The link to the report of ${monthText(made.month)}. It is shown only now.`,
        secret: made.url,
      }
    })
  })
  app.post(`/p/:site/${PATH}/mail`, signedIn(front), async (c) => {
    const [{ id }, chosen] = await withSite(c, formOf(c))
    return await act(c, front, sitePath(id, PATH), async () => {
      const count = await mailReportsTo(ctxOf(c, front), id, Object.keys(chosen))
      return count === 0 ? 'Saved. Nobody gets the reports by mail.' : 'Saved. The next report goes out by mail.'
    })
  })
  app.post(`/p/:site/${PATH}/:month/delete`, signedIn(front), async (c) => {
    const [{ id }] = await withSite(c, formOf(c))
    const month = c.req.param('month')
    if (!MONTH.test(month)) throw new ApiError('not_found', 'There is no report of this month.')
    return await act(c, front, sitePath(id, PATH), async () => {
      await deleteReport(ctxOf(c, front), id, month)
      return 'The report is deleted, and its link has ended.'
    })
  })
}
