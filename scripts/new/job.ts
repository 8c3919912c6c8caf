import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { camel, checkFree, domainOf, type Files, importing, pathTo, textOf, wordsIn } from './edit.ts'

/** Lists of handlers in the jobs Worker, by the area of the domain. */
const LISTS: Readonly<Record<string, string>> = {
  content: 'functions/jobs/publishing.ts',
  publishing: 'functions/jobs/publishing.ts',
  insights: 'functions/jobs/insights.ts',
}
const OTHERS = 'functions/jobs/services.ts'

/** Returns the files of a new job, such as `articles.spelling`: its definition, its verb, its handler and a test. */
export const newJob = (name: string): Files => {
  const [group, word] = wordsIn(name)
  const { folder } = domainOf(group)
  const job = `${camel(word)}Job`
  const verb = `run${job.charAt(0).toUpperCase()}${job.slice(1, -3)}`
  const file = word.replaceAll('_', '-')
  const verbFile = checkFree(`${folder}/${file}.ts`)
  const test = checkFree(`${folder.replace(/^src/, 'test')}/${file}.test.ts`)
  const definitions = `${folder}/jobs.ts`
  const defined = existsSync(join(ROOT, definitions)) ? textOf(definitions) : ''
  const zod = defined.includes("from 'zod/mini'") ? '' : "import * as z from 'zod/mini'\n"
  const list = LISTS[folder.split('/')[1] ?? ''] ?? OTHERS
  const handlers = textOf(list)
  const last = handlers.lastIndexOf('  handle(')
  const definition = `
/** Work on one thing, by its id. */
export const ${job} = defineJob({
  name: '${name}',
  whenClosed: 'ends',
  payload: z.object({ id: id() }),
  key: '${name}',
  id: 'id',
})
`
  const withNames = importing(
    importing(`${zod}${defined}`, definitions, 'src/platform/jobs/job.ts', ['defineJob']),
    definitions,
    'src/platform/lib/fields.ts',
    ['id'],
  )
  return {
    [definitions]: `${withNames}${definition}`,
    [verbFile]: `import type { JobResult } from '${pathTo(verbFile, 'src/platform/jobs/job.ts')}'
import type { Ctx } from '${pathTo(verbFile, 'src/platform/runtime/ctx.ts')}'

/** Works on one thing. It may run twice, so it reads the state first. */
export const ${verb} = async (ctx: Ctx, id: number): Promise<JobResult> => {
  ctx.log('info', '${name}', { id })
  return { kind: 'done' }
}
`,
    [list]: importing(
      importing(
        `${handlers.slice(0, last)}  handle(${job}, { run: (ctx, { id }) => ${verb}(ctx, id) }),\n${handlers.slice(last)}`,
        list,
        definitions,
        [job],
      ),
      list,
      verbFile,
      [verb],
    ),
    [test]: `import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { newOutboxRow, outboxRow } from '${pathTo(test, 'test/platform/jobs/outbox-row.ts')}'
import { callExecutor } from '${pathTo(test, 'test/publishing/scene.ts')}'
import { newAccount, rowsIn } from '${pathTo(test, 'test/support/client.ts')}'

const stack = inject('stack')

it('a row of ${name} is done after its run', async () => {
  const { accountId } = await newAccount(stack)
  const row = await newOutboxRow(stack, accountId, '${name}', { id: 1 })
  await rowsIn(stack, sql\`update outbox set run_at = now() where id = \${row}\`)
  await callExecutor(stack, JSON.stringify({ outbox_id: row }))
  await expect.poll(() => outboxRow(stack, row)).toMatchObject({ done: true, last_error: null })
})
`,
  }
}
