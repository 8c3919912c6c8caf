import { sql } from 'drizzle-orm'
import { type Answer, type Api, rowsIn, type Target } from '../../support/client.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

/** Stack of a writer's tests: the shared one, or one of their own. */
type WritingAccess = Target & { cronUrl: string }

/** Reads an article until it is no longer being written. Throws when that takes too long. */
export const whenWritten = async (api: Api, id: number): Promise<Record<string, unknown>> => {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const { body } = await api.get(`/articles/${id}`)
    if (body.Status !== 'Generating' && body.being_written !== true) return body
    if (Date.now() > until) throw new Error(`article ${id} is still being written: ${JSON.stringify(body.Progress)}`)
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}

export const creditsOf = async (access: Target, accountId: number): Promise<number> => {
  const [row] = await rowsIn<{ credits: number }>(
    access,
    sql`select article_credits as credits from accounts where id = ${accountId}::int`,
  )
  return Number(row?.credits)
}

export const setCredits = (access: Target, accountId: number, credits: number) =>
  rowsIn(access, sql`update accounts set article_credits = ${credits}::int where id = ${accountId}::int`)

/** Asks for an article made of notes; the answer. */
export const generate = (api: Api, projectId: number, fields: Record<string, unknown> = {}): Promise<Answer> =>
  api.post('/articles/generate', { project_id: projectId, keyword: 'garden sheds', source_content: NOTES, ...fields })

export const NOTES = `A garden shed needs a level foundation, such as concrete slabs or a timber frame.

Permits are needed above 15 m² in most cities. Ask the council first: https://council.example/permits

For the roof choose felt or shingles. Roof felt lasts about 12 years, shingles 25 years.

"Double doors save your back," says Jan Smit, who has built 40 sheds.

How long does it take?
Two people build one in a weekend.

Do I need a permit?
Only above 15 m².`

/** As many words as notes without claims can have: more than half of the length of a News article. */
const FULL_NOTES = Array.from({ length: 90 }, (_, n) => `Oak is dry at ${n + 1} cm.`).join(' ')
/** An article that the writer makes of such notes, for a credit. */
export const FULL = { keyword: 'garden sheds', article_style: 'News', content: `<p>${FULL_NOTES}</p>` }

/** Fires the minute's cron. */
export const tick = async (access: WritingAccess): Promise<void> => {
  const response = await fetch(access.cronUrl)
  if (!response.ok) throw new Error(`the cron failed: ${await response.text()}`)
}
