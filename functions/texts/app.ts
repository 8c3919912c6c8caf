import { readSentWork } from '../../src/content/articles/content.ts'
import { readSent } from '../../src/content/articles/read-sent.ts'
import { judgeWithContent, judgeWork, optimiseGiven, optimiseWork } from '../../src/content/seo/work.ts'
import { showStoredWork, spliceStoredWork } from '../../src/content/stored/port.ts'
import { htmlOfStored } from '../../src/content/stored/show.ts'
import { spliceStored } from '../../src/content/stored/splice.ts'
import { assemble, assembleWork } from '../../src/content/writing/assemble.ts'
import { judgeSaid } from '../../src/insights/visibility/judge.ts'
import { judgeSaidWork } from '../../src/insights/visibility/port.ts'
import type { Texts, TextWork } from '../../src/platform/lib/text-work.ts'

type Run = (given: never) => unknown

const doing = <In, Out>(work: TextWork<In, Out>, run: (given: In) => Out | Promise<Out>): [string, Run] => [
  work.name,
  run,
]

const RUNS: ReadonlyMap<string, Run> = new Map([
  doing(readSentWork, readSent),
  doing(judgeWork, judgeWithContent),
  doing(optimiseWork, optimiseGiven),
  doing(judgeSaidWork, judgeSaid),
  doing(showStoredWork, (stored) => ({ html: htmlOfStored(stored) })),
  doing(spliceStoredWork, spliceStored),
  doing(assembleWork, ({ brief, notes, outline, written }) => assemble(brief, notes, outline, written)),
])

/** Does work on texts in this process. Throws if there is no such work. */
export const textsInProcess: Texts = async (work, given) => {
  const run = RUNS.get(work.name)
  if (!run) throw new Error(`there is no work on texts named ${work.name}`)
  return (await run(given as never)) as never
}

/** Answers `POST /<name of the work>`. For other Workers only: it has no public route. */
export const answerText = async (request: Request): Promise<Response> => {
  const name = new URL(request.url).pathname.slice(1)
  if (!RUNS.has(name)) return Response.json({ error: 'There is no such work.' }, { status: 404 })
  return Response.json(await textsInProcess({ name }, await request.json()))
}
