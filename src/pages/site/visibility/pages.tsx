import type { Hono } from 'hono'
import { bingReport } from '../../../insights/visibility/bing/import.ts'
import { addPrompt } from '../../../insights/visibility/prompts.ts'
import { visibilityReport } from '../../../insights/visibility/read/report.ts'
import { startScan } from '../../../insights/visibility/scan/start.ts'
import { ctxOf } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { Empty, Field, For, Moment } from '../../parts.tsx'
import { forPeople } from '../../words.ts'
import { LineChart, Numbers } from '../chart.tsx'
import { act, type SiteFront, siteIdIn, siteIn, withSite } from '../front.ts'
import { Card } from '../parts.tsx'
import {
  answers,
  type Cited,
  type Competitors,
  Engines,
  type History,
  type Prompts,
  percent,
  Standing,
  type Summary,
} from './answers.tsx'
import { BingCard, bingPages } from './bing.tsx'

const Questions = ({ here, prompts }: { here: string; prompts: Prompts }) => (
  <Card title="Questions" note={`${prompts.total} are asked`}>
    {prompts.prompts.length > 0 && (
      <ul class="rows two">
        {prompts.prompts.map(({ id, prompt, engines }) => {
          const named = engines.filter(({ state }) => state === 'cited' || state === 'mentioned').length
          const asked = engines.filter(({ answers }) => answers > 0).length
          return (
            <li>
              <div>
                <a class="name" href={`${here}/answers?prompt=${id}`} dir="auto">
                  {prompt}
                </a>
                <p>{asked === 0 ? 'not asked yet' : `${named} of ${asked} engines name you`}</p>
              </div>
              <a class="button plain" href={`${here}/answers?prompt=${id}`} aria-label={`Answers to ${prompt}`}>
                Answers
              </a>
            </li>
          )
        })}
      </ul>
    )}
    <For right="manage">
      <form class="stack in narrow" method="post" action={`${here}/ask`}>
        <Field name="prompt" label="Another question" hint="As your customers would ask it" required maxlength={500} />
        <div class="row">
          <button class="plain" type="submit">
            Ask it from now on
          </button>
        </div>
      </form>
    </For>
  </Card>
)

/** Renders the sites that engines cite beside this one; nothing without any. */
const OtherSites = ({ competitors }: { competitors: Competitors }) =>
  competitors.rows.length === 0 ? null : (
    <Card title="Sites cited beside you" note={`from ${competitors.share_citations} links`}>
      <div class="in">
        <Numbers
          caption="Share of links by site"
          heads={['Site', 'Links', 'Share', 'Likely range']}
          rows={[{ domain: 'You', ...competitors.you }, ...competitors.rows].map((row) => [
            row.domain,
            row.citations,
            percent(row.share),
            row.interval === null ? '–' : `${percent(row.interval.low)} to ${percent(row.interval.high)}`,
          ])}
        />
      </div>
    </Card>
  )

/** Renders the site's own pages that engines cite; nothing without any. */
const OwnPages = ({ cited }: { cited: Cited }) =>
  cited.pages.length === 0 ? null : (
    <Card title="Your pages that are cited">
      <div class="in">
        <Numbers
          caption="Pages by how often engines cite them"
          heads={['Page', 'Links', 'Engines']}
          rows={cited.pages.map((row) => [row.url, row.citations, row.engines.length])}
        />
      </div>
    </Card>
  )

const page = async (c: PagesContext, front: SiteFront) => {
  const project = siteIdIn(c)
  const ctx = ctxOf(c, front)
  const views = ['summary', 'prompts', 'competitors', 'cited_pages', 'history'] as const
  const [site, [reports, bing]] = await withSite(
    c,
    Promise.all([
      Promise.all(views.map((view) => visibilityReport(ctx, { project_id: project, view }))),
      bingReport(ctx, { project_id: project }),
    ]),
  )
  const [summary, prompts, competitors, cited, history] = reports as [Summary, Prompts, Competitors, Cited, History]
  const here = sitePath(site.id, 'visibility')
  const points = history.points.map(({ date, visibility_score }) => ({
    day: date.slice(0, 10),
    value: visibility_score,
  }))
  return await show(c, front, {
    title: 'AI visibility',
    menu: true,
    page: 'visibility',
    site: site.id,
    ...(summary.can_scan
      ? {
          actions: (
            <For right="manage">
              <form class="row" method="post" action={`${here}/scan`}>
                <button class="plain" type="submit">
                  Ask the engines now
                </button>
                <span class="hint">
                  Uses 1 of the {summary.manual_scans_limit} scans of today (UTC); {summary.manual_scans_used} are used.
                  It costs no article credit.
                </span>
              </form>
            </For>
          ),
        }
      : {}),
    body: (
      <>
        {summary.scanning && (
          <div class="notice">
            <p>
              The engines are being asked. This takes some minutes. <a href={here}>Look again</a>
            </p>
          </div>
        )}
        {summary.last_scan !== null && (
          <p class="hint">
            Last asked <Moment at={new Date(summary.last_scan)} />, from {summary.scan_location}.{' '}
            <For right="manage">
              <a href={sitePath(site.id, 'settings/research')}>Country and competitors</a>
            </For>
          </p>
        )}
        <div class="cards">
          {summary.has_data ? (
            <>
              <Standing summary={summary} />
              {points.length > 1 && (
                <Card title="Visibility over time" note="a point for each scan, of 100">
                  <div class="in">
                    <LineChart title="Visibility, of 100" points={points} wide />
                  </div>
                </Card>
              )}
              <Engines engines={summary.engines} />
            </>
          ) : (
            <Card title="Are you named?">
              <Empty>
                <p>
                  AI engines are asked what your customers ask, and whether they name or cite you is counted. Add a
                  question below; they are asked once a week.
                </p>
              </Empty>
            </Card>
          )}
          <Questions here={here} prompts={prompts} />
          <OtherSites competitors={competitors} />
          <OwnPages cited={cited} />
          <BingCard here={here} report={bing} />
        </div>
      </>
    ),
  })
}

/** Adds the pages that show whether AI engines name a site, and their answers. */
export const visibilityPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  const at = '/p/:site/visibility'
  app.get(at, signedIn(front), (c) => page(c, front))
  app.get(`${at}/answers`, signedIn(front), (c) => answers(c, front))
  bingPages(app, front)
  app.post(`${at}/scan`, signedIn(front), async (c) => {
    const site = await siteIn(c)
    return await act(c, front, sitePath(site.id, 'visibility'), async () => {
      await startScan(ctxOf(c, front), { project_id: site.id })
      return 'The engines are being asked. Look again in a few minutes.'
    })
  })
  app.post(`${at}/ask`, signedIn(front), async (c) => {
    const [{ prompt = '' }, site] = await Promise.all([formOf(c), siteIn(c)])
    return await act(c, front, sitePath(site.id, 'visibility'), async () => {
      const text = prompt.trim()
      if (text.length < 3 || text.length > 500) return { tone: 'bad', text: 'The question needs 3 to 500 characters.' }
      const { status, message } = (await addPrompt(ctxOf(c, front), { project_id: site.id, prompt: text })) as {
        status: string
        message: string
      }
      return status === 'added'
        ? 'The question is asked with the next scan.'
        : forPeople(message) || 'It is asked already.'
    })
  })
}
