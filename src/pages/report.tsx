import type { Hono } from 'hono'
import type { MonthFigures } from '../../schema/values/reports.ts'
import { REPORT_PATH, readReport } from '../insights/reports/reports.ts'
import { figureRows, monthText } from '../insights/reports/words.ts'
import { addressIn, type Front, type PagesContext, type PagesEnv, show, tooOften } from './front.tsx'
import { siteName } from './menu.ts'
import { Moment, Table } from './parts.tsx'

const LOOKS = { name: 'report.looks', perMinute: 60 }

/** Renders the figures of a month as a table. */
export const MonthTable = ({ figures }: { figures: MonthFigures }) => (
  <Table
    caption="Figures of the month"
    heads={['Figure', 'Number', 'Counted from']}
    rows={figureRows(figures).map(([name, value, basis]) => [name, <b>{value}</b>, basis])}
  />
)

/** Renders a bar in the colour of the brand. It is an attribute, because pages allow no styles of their own. */
const Bar = ({ color }: { color: string | null }) =>
  color !== null && /^#[0-9a-f]{6}$/i.test(color) ? (
    <svg width="100%" height="8" role="presentation">
      <rect width="100%" height="8" fill={color} />
    </svg>
  ) : null

const page = async (c: PagesContext, front: Front) => {
  c.header('X-Robots-Tag', 'noindex, nofollow')
  const tooMany = await tooOften(c, front, [[LOOKS, addressIn(c)]])
  if (tooMany) return tooMany
  const token = c.req.param('token') ?? ''
  const report = /^[\w-]{20,100}$/.test(token) ? await readReport(front.deps, token) : undefined
  if (!report)
    return await show(c, front, {
      title: 'The link has ended',
      status: 404,
      body: <p>There is no report here. Ask the person who sent you the link for a new one.</p>,
    })
  return await show(c, front, {
    title: `${siteName(report)}: ${monthText(report.month)}`,
    body: (
      <div class="report">
        <Bar color={report.color} />
        <p dir="auto">{report.url}</p>
        <MonthTable figures={report.figures} />
        <p class="hint">
          Made <Moment at={report.madeAt} />. Later changes do not alter these figures. Google counts days of Pacific
          time, and visits are counted by days of UTC.
        </p>
      </div>
    ),
  })
}

/** Adds the page of a monthly report for everybody with its link. Search engines do not index it. */
export const reportPages = (app: Hono<PagesEnv>, front: Front): void => {
  app.get(`${REPORT_PATH}/:token`, (c) => page(c, front))
}
