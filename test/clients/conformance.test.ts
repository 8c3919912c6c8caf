import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { newAccount, newArticle, newProject } from '../support/client.ts'
import { installed } from '../support/installed.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'
import { startFixture } from './fixture/start.ts'
import { startFront } from './front.ts'

const suite = installed('@modelcontextprotocol/conformance/dist/index.js')

let stack: TestStack
let front: Awaited<ReturnType<typeof startFront>>
let fixture: Awaited<ReturnType<typeof startFixture>>

beforeAll(async () => {
  ;[stack, fixture] = await Promise.all([startTestStack(), startFixture()])
  const target = targetOf(stack)
  const api = await newAccount(target)
  await newArticle(api, await newProject(api))
  front = await startFront(stack.url, api.key)
})

afterAll(async () => {
  await front?.close()
  await fixture?.close()
  await stack?.close()
})

/** Runs the protocol's suite against a server. Returns its exit code and output. */
const run = async (url: string, ...options: string[]) => {
  const child = spawn(process.execPath, [suite, 'server', '--url', url, ...options])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

const expectedIn = (file: string) => ['--expected-failures', join(ROOT, 'test/clients', file)]

/** Returns the scenarios a revision requires of servers, as the suite froze them. */
const requiredBy = (revision: string): string[] => {
  const file = installed(`@modelcontextprotocol/conformance/requirements/${revision}.yaml`)
  const [, server = ''] = /^server:\n((?: {2}- .+\n)+)/m.exec(readFileSync(file, 'utf8')) ?? []
  return server.split('\n').flatMap((line) => /- (\S+)/.exec(line)?.[1] ?? [])
}

/** Scenarios that need a session, which the server does not keep (fixture/expected-failures.yaml). */
const WITHOUT_SESSION: Record<string, string[]> = {
  '2026-07-28': [],
  '2025-11-25': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
  ],
}

describe('the MCP Worker with the tools of the suite', () => {
  it.concurrent.each(Object.entries(WITHOUT_SESSION))('does all that %s requires', async (revision, failing) => {
    const required = requiredBy(revision)
    const expected = failing.length > 0 ? expectedIn('fixture/expected-failures.yaml') : []
    // How long a scenario may take on a busy machine. One that fails takes all of it.
    const timeoutMs = failing.length > 0 ? 12_000 : PATIENCE_MS
    const options = ['--requirements', revision, '--timeout', String(timeoutMs)]
    const { code, output } = await run(fixture.url, ...options, ...expected)
    expect(code, output).toBe(0)
    const failed = required.filter(
      (scenario) => !new RegExp(`^✓ ${scenario}: \\d+ passed, 0 failed$`, 'm').test(output),
    )
    expect(required.length).toBeGreaterThanOrEqual(30)
    expect(failed).toEqual(failing)
  })
})

/** Scenarios that need no tools of the suite's own. */
const SCENARIOS = {
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'caching',
    'dns-rebinding-protection',
    'http-header-validation',
    'sep-2164-resource-not-found',
  ],
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
}

describe.each(Object.entries(SCENARIOS))('the service itself, revision %s', (revision, scenarios) => {
  it.concurrent.each(scenarios)('%s', async (scenario) => {
    const expected = expectedIn('expected-failures.yaml')
    const { code, output } = await run(
      `${front.url}/mcp`,
      ...['--scenario', scenario, '--spec-version', revision, ...expected],
    )
    expect(code, output).toBe(0)
    expect(output).toMatch(/SUCCESS/)
  })
})
