import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { brokenLayers, twoWayPairs, upwardEntries } from '../../scripts/layers/check.ts'
import { FILE_RULES, LAYERS } from '../../scripts/layers/table.ts'

let tree: string

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'galley-layers-'))
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  for (const folder of ['src', 'functions', 'schema', 'server']) write(`${folder}/.keep`, '')
})
afterEach(() => rmSync(tree, { recursive: true, force: true }))

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}
const exporting = 'export const value = 1\n'

/** Writes a file that imports another. */
const writeImport = (from: string, to: string, specifier: string, type = false): void => {
  if (!to.startsWith('node_modules/')) write(to, exporting)
  write(
    from,
    `import ${type ? 'type ' : ''}{ value } from '${specifier}'\nexport const other = ${type ? '1' : 'value'}\n`,
  )
}

/** Writes files of which each has all its imports. */
const writeAll = (imports: readonly [from: string, to: string, specifier: string][]): void => {
  const texts = new Map<string, string>()
  for (const [from, to] of imports)
    for (const path of [from, to]) if (!path.startsWith('node_modules/')) texts.set(path, exporting)
  for (const [n, [from, , specifier]] of imports.entries())
    texts.set(
      from,
      `import { value as value${n} } from '${specifier}'\n${texts.get(from)}export const other${n} = value${n}\n`,
    )
  for (const [path, text] of texts) write(path, text)
}

/** Returns the findings in a tree in which one file imports another. */
const said = async (from: string, to: string, specifier: string, type = false): Promise<string[]> => {
  writeImport(from, to, specifier, type)
  return await brokenLayers(tree)
}

/** For each rule over files: an import that breaks it, and one of the same kind that does not. */
const CASES: Record<string, { bad: [from: string, to: string, specifier: string]; good: [string, string, string] }> = {
  'sql-is-private': {
    bad: ['src/content/articles/create.ts', 'src/accounts/projects/queries.ts', '../../accounts/projects/queries.ts'],
    good: ['src/content/articles/create.ts', 'src/content/articles/slug-queries.ts', './slug-queries.ts'],
  },
  'routes-know-no-sql': {
    bad: ['functions/articles/app.ts', 'schema/articles.ts', '../../schema/articles.ts'],
    good: ['functions/articles/app.ts', 'src/content/articles/create.ts', '../../src/content/articles/create.ts'],
  },
  'workers-stand-alone': {
    bad: ['functions/articles/app.ts', 'functions/projects/app.ts', '../projects/app.ts'],
    good: ['functions/articles/index.ts', 'functions/articles/app.ts', './app.ts'],
  },
  'providers-stand-alone': {
    bad: ['src/providers/cms/wix/api.ts', 'src/providers/cms/ghost/api.ts', '../ghost/api.ts'],
    good: ['src/providers/cms/wix/api.ts', 'src/providers/cms/http.ts', '../http.ts'],
  },
  'providers-store-nothing': {
    bad: ['src/providers/cms/wix/api.ts', 'schema/articles.ts', '../../../../schema/articles.ts'],
    good: ['src/providers/cms/wix/api.ts', 'schema/values/publishing.ts', '../../../../schema/values/publishing.ts'],
  },
  'pure-files': {
    bad: ['src/content/articles/rules.ts', 'src/platform/db/client.ts', '../../platform/db/client.ts'],
    good: ['src/content/articles/rules.ts', 'src/platform/lib/time.ts', '../../platform/lib/time.ts'],
  },
  'lib-is-pure': {
    bad: ['src/platform/lib/time.ts', 'node_modules/drizzle-orm', 'drizzle-orm'],
    good: ['src/platform/lib/time.ts', 'src/platform/lib/text.ts', './text.ts'],
  },
  'verbs-know-no-http': {
    bad: ['src/content/articles/create.ts', 'node_modules/hono', 'hono'],
    good: ['src/platform/http/app.ts', 'node_modules/hono', 'hono'],
  },
  'zod-mini': {
    bad: ['src/content/articles/operations.ts', 'node_modules/zod', 'zod'],
    good: ['src/content/articles/operations.ts', 'node_modules/zod', 'zod/mini'],
  },
}

describe('the check of the layers', () => {
  test('has a case here for every rule over files', () => {
    expect(Object.keys(CASES).sort()).toEqual(FILE_RULES.map(({ name }) => name).sort())
  })

  // All imports of a kind are in one tree, because reading a tree takes a second.
  test('sees each import that breaks a rule over files', async () => {
    writeAll(Object.values(CASES).map(({ bad }) => bad))
    const found = await brokenLayers(tree)
    for (const [name, { bad }] of Object.entries(CASES)) {
      const [from] = bad
      expect(found.join('\n')).toMatch(new RegExp(`^${from} → .*: ${name}\\. `, 'm'))
    }
  })

  test('allows similar imports that break no rule', async () => {
    writeAll(Object.values(CASES).map(({ good }) => good))
    expect(await brokenLayers(tree)).toEqual([])
  })

  test('no folder may import a Worker', async () => {
    const folders = Object.keys(LAYERS).filter((folder) => folder !== 'functions')
    for (const folder of folders) {
      const up = folder.replaceAll(/[^/]+/g, '..')
      writeImport(`${folder}/one.ts`, 'functions/articles/app.ts', `${up}/functions/articles/app.ts`)
    }
    const found = (await brokenLayers(tree)).join('\n')
    for (const folder of folders) expect(found).toContain(`layer ${folder}.`)
  })

  test('sees imports of types too', async () => {
    const found = await said('src/platform/db/client.ts', 'src/platform/runtime/ctx.ts', '../runtime/ctx.ts', true)
    expect(found.join('\n')).toContain('layer src/platform/db')
  })

  test('sees a folder without a place in the table', async () => {
    const found = await said('src/newcomer/one.ts', 'src/platform/lib/text.ts', '../lib/text.ts')
    expect(found.join('\n')).toContain('every file has its place')
  })

  test('sees files that import each other', async () => {
    write('src/platform/lib/one.ts', `import { two } from './two.ts'\nexport const one = two\n`)
    write('src/platform/lib/two.ts', `import { one } from './one.ts'\nexport const two = one\n`)
    expect((await brokenLayers(tree)).join('\n')).toContain('no cycles')
  })

  test('sees a table that lets two folders import each other', () => {
    expect(twoWayPairs()).toEqual([])
    expect(twoWayPairs({ a: ['b'], b: ['a'] })).toEqual(['a and b'])
    expect(upwardEntries()).toEqual([])
    const upwards = { 'src/accounts/people': ['src/content/site'], 'src/content/site': ['src/accounts/people'] }
    expect(upwardEntries(upwards)).toEqual(['src/accounts/people → src/content/site'])
  })
})
