import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { textOf } from '../../scripts/new/edit.ts'
import { KINDS, makeNew, writeFiles } from '../../scripts/new/run.ts'

const NEW: [kind: string, name: string][] = [
  ['operation', 'articles.word_count'],
  ['operation', 'backlinks.counted'],
  ['job', 'articles.links'],
  ['job', 'projects.tidy'],
  ['job', 'suggestions.again'],
  ['setting', 'reader_name'],
  ['page', 'notes'],
  ['cms', 'acme'],
]

const filesOf = ([kind, name]: (typeof NEW)[number]) => KINDS[kind]?.files(name) ?? {}

describe('npm run new', () => {
  it.each(NEW)('%s %s writes a test, and changes every file that it names', (kind, name) => {
    const files = filesOf([kind, name])
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
    ['thing', 'notes'],
    ['page', ''],
  ])('%s %s is refused, and nothing is written', (kind, name) => expect(makeNew(kind, name)).toBe(2))
})

describe('all that npm run new writes', () => {
  let copy: string
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'galley-new-'))
    for (const part of [
      'src',
      'schema',
      'local',
      'functions',
      'scripts',
      'packages',
      'config',
      'test',
      'docs',
      'tsconfig.json',
      'package.json',
      'biome.json',
      'vitest.config.ts',
    ])
      cpSync(join(ROOT, part), join(copy, part), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (const one of NEW.filter(([kind], n) => NEW.findIndex(([other]) => other === kind) === n))
      writeFiles(filesOf(one), copy)
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  it('has the right types', () => {
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '-p', 'tsconfig.json'], {
      cwd: copy,
    })
    expect(String(stdout)).toBe('')
  }, 300_000)
})
