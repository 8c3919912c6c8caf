import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installed } from '../../support/installed.ts'
import type { Agent, KeyAgent } from './agent.ts'
import { startModel } from './model.ts'
import { blocksOf } from './page.ts'
import { run, signIn } from './run.ts'

const COMMAND = installed('@openai/codex/bin/codex.js')

/** Codex with its configuration, and a stand-in for its model. */
const start = async (config: string, key = '') => {
  const home = mkdtempSync(join(tmpdir(), 'galley-codex-'))
  mkdirSync(join(home, '.codex'))
  writeFileSync(join(home, '.codex/config.toml'), config)
  const model = await startModel()
  const provider = `{ name = "local", base_url = "${model.url}/v1", wire_api = "responses" }`
  const settings = [
    'model="gpt-5"',
    'model_provider="local"',
    `model_providers.local=${provider}`,
    'approval_policy="never"',
    'sandbox_mode="danger-full-access"',
    // Otherwise the client may ask the model before a slow server has named its tools.
    'mcp_servers.galley.required=true',
    'mcp_servers.galley.startup_timeout_sec=60',
  ].flatMap((setting) => ['-c', setting])
  const env = { PATH: process.env.PATH ?? '', HOME: home, BROWSER: 'true', GALLEY_API_KEY: key }
  const running = { env, cwd: home }
  const asked = [COMMAND, 'exec', '--skip-git-repo-check', ...settings, 'Do it.']
  return {
    running,
    tools: model.offered,
    call: (tool: string, args: object) => model.call(tool, args, () => run(process.execPath, asked, running)),
    close: async () => {
      await model.close()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Codex, which signs in by its own command. */
export const codex: Agent = {
  name: 'Codex',
  connect: async (mcpUrl, letIn) => {
    const codex = await start(blocksOf('Codex', mcpUrl)[0] ?? '')
    await signIn(process.execPath, [COMMAND, 'mcp', 'login', 'galley'], codex.running, letIn)
    return codex
  },
}

/** Codex with a key, which it reads from its environment. */
export const codexWithKey: KeyAgent = (mcpUrl, key) => start(blocksOf('Codex', mcpUrl, key)[1] ?? '', key)
