import type * as z from 'zod/mini'
import { ENGINE_LABELS } from '../../../../schema/values/visibility.ts'
import type { visibilityAnswers } from '../../../insights/visibility/answers.ts'
import { listAnswers } from '../../../insights/visibility/read/report.ts'
import { ctxOf, idIn } from '../../ctx.ts'
import { type PagesContext, show } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { Empty, Pill } from '../../parts.tsx'
import { type SiteFront, siteIdIn, withQuery, withSite } from '../front.ts'
import { MarkPill } from '../parts.tsx'
import { VERDICTS } from './numbers.tsx'

const GAPS = 'It gave no answer, so this says nothing about you.'

export const answers = async (c: PagesContext, front: SiteFront) => {
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
            return (
              <section class="card">
                <header>
                  <h2 dir="auto">{row.prompt}</h2>
                  <span class="meta">{ENGINE_LABELS[row.engine]}</span>
                  <MarkPill mark={VERDICTS[row.state]} />
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
              <a
                href={withQuery(`${here}/answers`, {
                  prompt: prompt === 0 ? '' : String(prompt),
                  before: String(next),
                })}
              >
                Earlier answers
              </a>
            </p>
          )}
        </>
      ),
  })
}
