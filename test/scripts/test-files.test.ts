import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { filesThatAsk, testFiles } from '../../scripts/test-files.ts'

it('tests that may ask a database or Redis are found by what they import, however far', () => {
  const root = mkdtempSync(join(tmpdir(), 'galley-test-files-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const files: Record<string, string> = {
    'test/a/pure.test.ts': "import { sum } from '../../src/sum.ts'",
    'test/a/shared.test.ts': "const stack = inject('stack')",
    'test/a/far.test.ts': "import { scene } from './scene.ts'",
    'test/a/scene.ts': "import type { TestStack } from '../support/stack.ts'\nexport const scene = 1",
    'test/a/late.test.ts': "const { startNeon } = await import('../../local/neon/server.ts')",
    'test/a/program.test.ts': "import { spawn } from 'node:child_process'",
    'test/a/named.test.ts': "it.skipIf(!process.env.DATABASE_URL)('x', () => {})",
    'test/support/stack.ts': '',
    'src/sum.ts': '// DATABASE_URL',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const asking = filesThatAsk(root, testFiles(root)).map((path) => path.slice('test/a/'.length, -'.test.ts'.length))
  expect(asking.sort()).toEqual(['far', 'late', 'named', 'program', 'shared'])
})

it('of this project at least the tests of every domain that writes', () => {
  const asking = new Set(filesThatAsk(ROOT, testFiles(ROOT)).map((path) => path.split('/')[1]))
  for (const domain of ['articles', 'exchange', 'faults', 'jobs', 'people', 'publishing', 'search', 'suggestions'])
    expect(asking).toContain(domain)
})
