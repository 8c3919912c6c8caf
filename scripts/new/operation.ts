import {
  camel,
  checkFree,
  domainOf,
  type Files,
  fileWith,
  importing,
  pathTo,
  textOf,
  withChange,
  within,
  wordsIn,
} from './edit.ts'

/**
 * Returns the files of a new operation, such as `articles.count` for `GET /articles/count`.
 *
 * It answers the account of the caller until its verb is written.
 */
export const newOperation = (name: string): Files => {
  const [group, word] = wordsIn(name)
  const { folder, file, table, path } = domainOf(group)
  const key = camel(word)
  const verb = camel(`${word}_${group}`)
  const at = `${path}/${word.replaceAll('_', '-')}`
  const verbFile = checkFree(`${folder}/${word.replaceAll('_', '-')}.ts`)
  const test = checkFree(`${folder.replace(/^src/, 'test')}/${word.replaceAll('_', '-')}.test.ts`)
  const answersFile = fileWith('src/**/answers.ts', `AnswersOf<typeof ${table}>`, `${table} has no answers.`)
  const handlers = `routes(${table}, {`
  const app = fileWith('functions/**/*.ts', handlers, `${table} has no handlers in functions.`)
  if (new RegExp(`\\n  ${key}: \\{`).test(textOf(file))) throw new Error(`${file} has ${key} already.`)

  const entry = `  ${key}: {
    id: '${name}',
    method: 'GET',
    path: '${at}',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns the account.',
    errors: [],
  },
`
  const answers = textOf(answersFile)
  const declared = new RegExp(
    `export const \\w+ = \\{(?=(?:(?!\\n\\} )[\\s\\S])*\\n\\} satisfies AnswersOf<typeof ${table}>)`,
  )
  const start = declared.exec(answers)?.[0] ?? ''
  const answered = within(
    answers,
    start,
    `\n} satisfies AnswersOf<typeof ${table}>`,
    `
  ${key}: { 200: body({ account_id: means('ID of the account.', id()) }) },`,
  )
  return {
    [file]: within(textOf(file), `export const ${table} = {`, '\n} as const satisfies', `\n${entry}`.trimEnd()),
    [answersFile]: importing(answered, answersFile, 'src/platform/http/answers.ts', ['body', 'id', 'means']),
    [verbFile]: `import type { Ctx } from '${pathTo(verbFile, 'src/platform/runtime/ctx.ts')}'

/** Returns the account of the caller. */
export const ${verb} = async (ctx: Ctx): Promise<{ account_id: number }> => ({ account_id: (await ctx.account()).id })
`,
    [app]: importing(within(textOf(app), handlers, '\n', `\n  ${key}: (ctx) => ${verb}(ctx),`), app, verbFile, [verb]),
    [test]: `import { expect, inject, it } from 'vitest'
import { newAccount } from '${pathTo(test, 'test/support/client.ts')}'

const stack = inject('stack')

it('GET ${at} answers the account of the caller', async () => {
  const api = await newAccount(stack)
  const { status, body, text } = await api.get('${at}')
  expect(status, text).toBe(200)
  expect(body).toEqual({ account_id: api.accountId })
})
`,
    ...withChange(`New operation \`GET ${at}\`.`),
  }
}
