import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../../../local/start/ports.ts'
import { installed } from '../../support/installed.ts'
import type { Agent, KeyAgent } from './agent.ts'
import { startModel } from './model.ts'
import { blocksOf } from './page.ts'
import { signIn } from './run.ts'

const COMMAND = installed('opencode-ai/bin/opencode.exe')
const MODEL = 'anthropic/claude-sonnet-4-5'

type Running = { env: NodeJS.ProcessEnv; cwd: string }

/** Starts OpenCode's own server, which keeps the client connected: starting the program for each call takes far longer. */
const serve = async (running: Running) => {
  const port = await freePort()
  const child = spawn(COMMAND, ['serve', '--port', String(port)], { ...running, stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const line of createInterface(child.stdout)) if (line.includes('listening')) break
  child.stdout.resume()
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return answer.text()
  }
  return {
    ask: async () => {
      const { id } = JSON.parse(await post('/session', { title: 'a title' }))
      return { text: await post(`/session/${id}/message`, { parts: [{ type: 'text', text: 'Do it.' }] }) }
    },
    close: async () => {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/** OpenCode with its configuration, and a stand-in for its model. `prepare` runs commands of it first. */
const start = async (config: string, prepare?: (running: Running) => Promise<void>) => {
  const home = mkdtempSync(join(tmpdir(), 'galley-opencode-'))
  writeFileSync(join(home, 'opencode.json'), config)
  const model = await startModel()
  const options = { baseURL: `${model.url}/v1`, apiKey: 'nobody' }
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    BROWSER: 'true',
    // It would fetch its plugins' package, and the list of models.
    npm_config_offline: 'true',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_CONFIG_CONTENT: JSON.stringify({ model: MODEL, provider: { anthropic: { options } } }),
  }
  await prepare?.({ env, cwd: home })
  const server = await serve({ env, cwd: home })
  return {
    tools: model.offered,
    call: (tool: string, args: object) => model.call(tool, args, server.ask),
    close: async () => {
      await Promise.all([model.close(), server.close()])
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** OpenCode, which signs in by its own command. */
export const openCode: Agent = {
  name: 'OpenCode',
  connect: (mcpUrl, letIn) =>
    start(blocksOf('OpenCode', mcpUrl)[0] ?? '', (running) =>
      signIn(COMMAND, ['mcp', 'auth', 'galley'], running, letIn),
    ),
}

/** OpenCode with a key. */
export const openCodeWithKey: KeyAgent = (mcpUrl, key) => start(blocksOf('OpenCode', mcpUrl, key)[1] ?? '')
