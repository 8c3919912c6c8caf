import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../local/bundle.ts'
import { newAccount, newArticle, newProject } from '../support/client.ts'
import { installed } from '../support/installed.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'
import { startFront } from './front.ts'

const suite = installed('@modelcontextprotocol/conformance/dist/index.js')

let stack: TestStack
let front: Awaited<ReturnType<typeof startFront>>

beforeAll(async () => {
  stack = await startTestStack()
  const target = targetOf(stack)
  const api = await newAccount(target)
  await newArticle(api, await newProject(api))
  front = await startFront(stack.url, api.key)
})

afterAll(async () => {
  await front?.close()
  await stack?.close()
})

/** Runs one scenario of the protocol's suite; its exit code and what it printed. */
const run = async (scenario: string, revision: string) => {
  const child = spawn(process.execPath, [
    suite,
    'server',
    '--url',
    `${front.url}/mcp`,
    '--scenario',
    scenario,
    '--spec-version',
    revision,
    '--expected-failures',
    join(ROOT, 'test/clients/expected-failures.yaml'),
  ])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

/** Scenarios that need no tools of the suite's own fixture. */
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

describe.each(Object.entries(SCENARIOS))('revision %s', (revision, scenarios) => {
  it.each(scenarios)('%s', async (scenario) => {
    const { code, output } = await run(scenario, revision)
    expect(code, output).toBe(0)
    expect(output).toMatch(/SUCCESS/)
  })
})
