import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installed } from '../../support/installed.ts'
import type { Agent } from './agent.ts'
import { startModel } from './model.ts'
import { argumentsIn, blocksOf } from './page.ts'
import { run, signIn, succeed } from './run.ts'

const COMMAND = installed('@anthropic-ai/claude-code/bin/claude.exe')

/** Claude Code with a stand-in for its model: logs in by its own command, and calls tools as an agent does. */
export const claudeCode: Agent = {
  name: 'Claude Code',
  connect: async (mcpUrl, letIn) => {
    const home = mkdtempSync(join(tmpdir(), 'galley-claude-'))
    const model = await startModel()
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      CLAUDE_CONFIG_DIR: home,
      BROWSER: 'true',
      TERM: 'dumb',
      COLUMNS: '4000',
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'nobody',
      ENABLE_TOOL_SEARCH: 'false',
      // Otherwise its first question may leave before the server has listed its tools.
      MCP_CONNECTION_NONBLOCKING: 'false',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }
    const running = { env, cwd: home }
    await succeed(COMMAND, argumentsIn(blocksOf('Claude Code', mcpUrl)[0] ?? ''), running)
    // It wants a terminal for this.
    const terminal = ['-qec', `stty cols 4000; exec ${COMMAND} mcp login galley`, '/dev/null']
    await signIn('script', terminal, running, letIn)
    return {
      call: (tool, args) => {
        const only = ['--allowedTools', `mcp__galley__${tool}`]
        const asked = ['-p', 'Do it.', ...only, '--output-format', 'json', '--model', 'claude-sonnet-4-5']
        return model.call(tool, args, () => run(COMMAND, asked, running))
      },
      close: async () => {
        await model.close()
        rmSync(home, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  },
}
