import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { refuseTrackedSecrets } from '../../scripts/deploy/tracked.ts'

const git = (cwd: string, ...args: string[]) => spawnSync('git', args, { cwd, encoding: 'utf8' }).status

describe('files of secrets', () => {
  it.each(['secrets.json', 'secrets.staging.json', '.env', '.env.production', '.dev.vars', 'functions/jobs/.dev.vars'])(
    'git ignores %s',
    (file) => {
      expect(git(ROOT, 'check-ignore', '-q', file)).toBe(0)
    },
  )
})

describe('a deployment', () => {
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'galley-tracked-'))
    git(dir, 'init', '-q')
    writeFileSync(join(dir, '.gitignore'), 'secrets*.json\n')
    git(dir, 'add', '.gitignore')
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('accepts a file that git ignores', () => {
    writeFileSync(join(dir, 'secrets.json'), '{}')
    expect(() => refuseTrackedSecrets('secrets.json', dir)).not.toThrow()
  })

  it.each(['secrets.json', '.env', 'functions/jobs/.dev.vars'])('refuses while git tracks %s', (file) => {
    mkdirSync(join(dir, 'functions/jobs'), { recursive: true })
    writeFileSync(join(dir, file), '{}')
    git(dir, 'add', '-f', file)
    expect(() => refuseTrackedSecrets('secrets.json', dir)).toThrow(file)
  })

  it('refuses a file that the next git add would include', () => {
    writeFileSync(join(dir, 'production.json'), '{}')
    expect(() => refuseTrackedSecrets('production.json', dir)).toThrow('git does not ignore production.json')
  })
})
