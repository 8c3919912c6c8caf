import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { textOf } from '../../scripts/new/edit.ts'
import { KINDS, makeNew } from '../../scripts/new/run.ts'

const NEW: [kind: string, name: string, like?: string][] = [
  ['operation', 'articles.word_count'],
  ['operation', 'backlinks.counted'],
  ['job', 'articles.spelling'],
  ['job', 'projects.tidy'],
  ['job', 'suggestions.again'],
  ['setting', 'reader_name'],
  ['page', 'notes'],
  ['cms', 'acme'],
  ['cms', 'acme', 'ghost'],
  ['cms', 'acme', 'strapi'],
]

const filesOf = ([kind, name, like]: (typeof NEW)[number]) => KINDS[kind]?.files(name, like) ?? {}

describe('npm run new', () => {
  it.each(NEW)('%s %s writes a test, and changes every file that it names', (kind, name, like) => {
    const files = filesOf([kind, name, like])
    expect(Object.keys(files).filter((path) => path.endsWith('.test.ts'))).toHaveLength(1)
    for (const [path, text] of Object.entries(files))
      if (existsSync(join(ROOT, path))) expect(text, path).not.toBe(textOf(path))
  })

  it.each([
    ['operation', 'count'],
    ['operation', 'nothing.count'],
    ['operation', 'articles.create'],
    ['job', 'Articles.links'],
    ['setting', 'primary_location'],
    ['setting', 'Reader name'],
    ['page', 'plan'],
    ['page', '../notes'],
    ['cms', 'ghost'],
    ['cms', 'acme-cms'],
    ['cms', 'acme', 'webhook'],
    ['thing', 'notes'],
    ['page', ''],
  ])('%s %s is refused, and nothing is written', (kind, name, like?: string) =>
    expect(makeNew(kind, name, like)).toBe(2),
  )
})

/** One of each kind. */
const firsts = NEW.filter(([kind], n) => NEW.findIndex(([other]) => other === kind) === n)

describe('all that npm run new writes', () => {
  let copy: string
  const run = (...command: string[]) =>
    spawnSync(process.execPath, ['scripts/run.mjs', ...command], { cwd: copy, encoding: 'utf8' })
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'galley-new-'))
    const left = new Set(['node_modules', '.git', '.galley'].map((name) => join(ROOT, name)))
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !left.has(path) })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    // One after the other, because several change the same file.
    for (const [kind, name] of firsts) {
      const { status, stderr } = run('scripts/new.ts', kind, name)
      expect(status, stderr).toBe(0)
    }
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  it('has the right types', () => {
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '-p', 'tsconfig.json'], {
      cwd: copy,
    })
    expect(String(stdout)).toBe('')
  }, 600_000)

  it('passes its own tests, and those of pages', () => {
    const written = run('scripts/migration.ts', '--name', 'scaffold')
    expect(written.status, written.stderr).toBe(0)
    const tests = firsts.flatMap((one) => Object.keys(filesOf(one)).filter((path) => path.endsWith('.test.ts')))
    const { status, stdout } = run('vitest', 'run', ...tests, 'test/house/docs-words.test.ts')
    expect(status, stdout.slice(-8_000)).toBe(0)
  }, 900_000)
})
