import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'

/** Folder of the linters, which `npm run test:docs` installs. */
const LINTERS = process.env.LINTERS ?? ''
const DESCRIPTION = join(ROOT, 'docs/reference/openapi.json')

const folder = mkdtempSync(join(tmpdir(), 'galley-lint-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = async (program: string, args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(join(LINTERS, 'node_modules/.bin', program), args, {
    cwd: folder,
    maxBuffer: 50_000_000,
  }).catch((error: { stdout: string }) => error)
  return stdout
}

/** Path that Redocly takes for one of an article. The id of an article is a number, so `batches` is none. */
const BATCHES = '/articles/batches/{id}'

describe('the description of the API', () => {
  it('has no fault by the recommended rules of Redocly', async () => {
    const told = JSON.parse(await run('redocly', ['lint', DESCRIPTION, '--format=json']))
    const problems = told.problems as { ruleId: string; message: string }[]
    const isOfBatches = ({ ruleId, message }: (typeof problems)[number]) =>
      ruleId === 'no-ambiguous-paths' && message.includes(BATCHES)
    expect(problems.filter((one) => !isOfBatches(one))).toEqual([])
  })

  it('has no fault by the OpenAPI rules of Spectral', async () => {
    writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
    const told = await run('spectral', ['lint', DESCRIPTION, '--format=json', '--quiet'])
    expect(JSON.parse(told)).toEqual([])
  })

  it('is ready for agents by the score of Redocly, 85 of 100 or more', async () => {
    const told = JSON.parse(await run('redocly', ['score', DESCRIPTION, '--format=json']))
    expect(told.agentReadiness).toBeGreaterThanOrEqual(85)
    const operations = Object.entries(told.rawMetrics.operations as Record<string, Record<string, boolean>>)
    const without = operations.filter(([, one]) => one.requestBodyPresent && !one.requestExamplePresent)
    expect(without.map(([name]) => name)).toEqual([])
  })
})
