import type { Hono } from 'hono'
import type * as z from 'zod/mini'
import { ENGINE_LABELS } from '../../schema/values/visibility.ts'
import { ctxOf, idIn } from '../../src/pages/ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../../src/pages/front.tsx'
import { sitePath } from '../../src/pages/menu.ts'
import { Empty, Field, Moment, Pill } from '../../src/pages/parts.tsx'
import { forPeople } from '../../src/pages/words.ts'
import type { visibilityAnswers } from '../../src/visibility/answers.ts'
import { addPrompt } from '../../src/visibility/prompts/add.ts'
import { listAnswers } from '../../src/visibility/read/lists.ts'
import { visibilityReport } from '../../src/visibility/read/report.ts'
import { startScan } from '../../src/visibility/scan/start.ts'
import { act } from './acts.ts'
import { LineChart, Numbers } from './chart.tsx'
import { type SiteFront, siteIdIn, siteIn, withSite } from './front.ts'
import { Card } from './parts.tsx'

type Report = z.infer<(typeof visibilityAnswers)['report'][200]>
type Summary = Extract<Report, { has_data: boolean }>
type Prompts = Extract<Report, { prompts: unknown }>
type Competitors = Extract<Report, { you: unknown }>
type Cited = Extract<Report, { pages: unknown }>
type History = Extract<Report, { points: unknown }>
type Engine = Summary['engines'][number]

const percent = (share: number): string => `${Math.round(share * 100)} %`

const CHANGES = {
  up: ['good', '▲', 'more than before'],
  down: ['bad', '▼', 'less than before'],
  within_noise: ['plain', '○', 'within noise'],
} as const

/** A change against the scan before. It has a colour only where it is beyond noise. */
const Change = ({ change }: { change: keyof typeof CHANGES | null }) => {
  if (change === null) return <span class="of">nothing to compare with yet</span>
  const [tone, shape, word] = CHANGES[change]
  return (
    <Pill tone={tone} shape={shape}>
      {word}
    </Pill>
  )
}

const between = (interval: { low: number; high: number } | null, of = (n: number) => String(Math.round(n))): string =>
  interval === null ? 'too few answers for a range' : `likely between ${of(interval.low)} and ${of(interval.high)}`

/** A share and its range as a bar, which the words beside it say too. */
const Interval = ({ value, low, high }: { value: number; low: number; high: number }) => (
  <svg class="chart range" viewBox="-4 0 168 16" aria-hidden="true" focusable="false">
    <path class="grid" d="M0,8H160" />
    <path class="spread" d={`M${(low * 1.6).toFixed(1)},8H${(high * 1.6).toFixed(1)}`} />
    <circle cx={(value * 1.6).toFixed(1)} cy="8" r="4" fill="var(--accent)" />
  </svg>
)

const VERDICTS: Record<Engine['state'], ['good' | 'plain' | 'warn', string, string]> = {
  cited: ['good', '●', 'Cites you'],
  mentioned: ['good', '◐', 'Names you'],
  not_cited: ['plain', '○', 'Does not name you'],
  no_data: ['warn', '?', 'No answer'],
}

const Engines = ({ engines }: { engines: readonly Engine[] }) => (
  <Card title="Engines" note="an engine that gave no answer says nothing about you">
    <ul class="rows">
      {engines.map(({ label, state, answers, gaps, visibility_score: score, interval }) => {
        const [tone, shape, word] = VERDICTS[state]
        return (
          <li>
            <Pill tone={tone} shape={shape}>
              {word}
            </Pill>
            <div>
              {label}
              <p>
                {answers === 1 ? '1 answer' : `${answers} answers`}
                {gaps > 0 && `, ${gaps} without`}
                {score !== null && `; ${score} of 100, ${between(interval)}`}
              </p>
            </div>
            {score !== null && interval !== null ? (
              <Interval value={score} low={interval.low} high={interval.high} />
            ) : (
              <span />
            )}
          </li>
        )
      })}
    </ul>
  </Card>
)

const Standing = ({ summary }: { summary: Summary }) => (
  <dl class="figures">
    <div>
      <dt>Visibility</dt>
      <dd>
        <b>{summary.has_data ? summary.visibility_score : '–'}</b>
        <span class="of">{between(summary.interval)}</span> <Change change={summary.change} />
      </dd>
    </div>
    <div>
      <dt>Share of links</dt>
      <dd>
        <b>{summary.share_citations === 0 ? '–' : percent(summary.share_of_voice)}</b>
        <span class="of">{between(summary.share_interval, percent)}</span> <Change change={summary.share_change} />
      </dd>
    </div>
    <div>
      <dt>Engines that name you</dt>
      <dd>
        <b>
          {summary.engines_citing} of {summary.engines_total}
        </b>
        <span class="of">from {summary.answers} answers</span>
      </dd>
    </div>
    <div>
      <dt>Scans by hand this month</dt>
      <dd>
        <b>
          {summary.manual_scans_used} of {summary.manual_scans_limit}
        </b>
        <span class="of">
          {summary.last_scan_cost_usd === null
            ? 'none yet'
            : `the last one cost $${summary.last_scan_cost_usd.toFixed(2)}`}
        </span>
      </dd>
    </div>
  </dl>
)

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
    <form class="stack in narrow" method="post" action={`${here}/ask`}>
      <Field name="prompt" label="Another question" hint="As your customers would ask it" required maxlength={500} />
      <div class="row">
        <button class="plain" type="submit">
          Ask it from now on
        </button>
      </div>
    </form>
  </Card>
)

const page = async (c: PagesContext, front: SiteFront) => {
  const project = siteIdIn(c)
  const ctx = ctxOf(c, front)
  const views = ['summary', 'prompts', 'competitors', 'cited_pages', 'history'] as const
  const [site, reports] = await withSite(
    c,
    Promise.all(views.map((view) => visibilityReport(ctx, { project_id: project, view }))),
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
            <form method="post" action={`${here}/scan`}>
              <button class="plain" type="submit">
                Ask the engines now
              </button>
            </form>
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
            Last asked <Moment at={new Date(summary.last_scan)} />, from {summary.scan_location}.
          </p>
        )}
        <div class="cards">
          {summary.has_data ? (
            <>
              <Standing summary={summary} />
              {points.length > 1 && (
                <Card title="Visibility over time" note="a point for each scan, of 100">
                  <div class="in">
                    <LineChart title="Visibility, of 100" points={points} />
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
          {competitors.rows.length > 0 && (
            <Card title="Beside whom" note={`from ${competitors.share_citations} links`}>
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
          )}
          {cited.pages.length > 0 && (
            <Card title="Your pages that are cited">
              <div class="in">
                <Numbers
                  caption="Pages by how often engines cite them"
                  heads={['Page', 'Links', 'Engines']}
                  rows={cited.pages.map((row) => [row.url, row.citations, row.engines.length])}
                />
              </div>
            </Card>
          )}
        </div>
      </>
    ),
  })
}

const GAPS = 'It gave no answer, so this says nothing about you.'

const answers = async (c: PagesContext, front: SiteFront) => {
  const project = siteIdIn(c)
  const prompt = idIn(c.req.query('prompt'))
  const before = idIn(c.req.query('before'))
  const [site, found] = await withSite(
    c,
    listAnswers(ctxOf(c, front), {
      project_id: project,
      limit: 30,
      ...(prompt === 0 ? {} : { prompt_id: prompt }),
      ...(before === 0 ? {} : { before_id: before }),
    }),
  )
  const { answers: rows, before_id: next } = found as unknown as {
    answers: z.infer<(typeof visibilityAnswers)['answers'][200]>['answers']
    before_id: number | null
  }
  const here = sitePath(site.id, 'visibility')
  return await show(c, front, {
    title: 'What the engines said',
    menu: true,
    page: 'visibility',
    site: site.id,
    actions: (
      <a class="button plain" href={here}>
        Back
      </a>
    ),
    body:
      rows.length === 0 ? (
        <Empty>The engines were not asked this yet.</Empty>
      ) : (
        <>
          {rows.map((row) => {
            const [tone, shape, word] = VERDICTS[row.state]
            return (
              <section class="card">
                <header>
                  <h2 dir="auto">{row.prompt}</h2>
                  <span class="meta">{ENGINE_LABELS[row.engine]}</span>
                  <Pill tone={tone} shape={shape}>
                    {word}
                  </Pill>
                </header>
                <div class="in">
                  {row.text === null ? (
                    <p class="hint">{GAPS}</p>
                  ) : (
                    <details>
                      <summary>The answer</summary>
                      <pre class="scroll" tabindex={0} dir="auto">
                        {row.text}
                      </pre>
                    </details>
                  )}
                  {row.citations.length > 0 && (
                    <ul>
                      {row.citations.map(({ url, site: whose }) => (
                        <li>
                          {url} {whose === 'own' && <Pill tone="good">yours</Pill>}
                        </li>
                      ))}
                    </ul>
                  )}
                </div>
              </section>
            )
          })}
          {next !== null && (
            <p class="pages">
              <a href={`${here}/answers?${prompt === 0 ? '' : `prompt=${prompt}&`}before=${next}`}>Earlier answers</a>
            </p>
          )}
        </>
      ),
  })
}

/** Whether AI engines name a site, and what they say. */
export const visibilityPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  const at = '/p/:site/visibility'
  app.get(at, signedIn(front), (c) => page(c, front))
  app.get(`${at}/answers`, signedIn(front), (c) => answers(c, front))
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
