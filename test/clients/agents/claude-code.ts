import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installed } from '../../support/installed.ts'
import type { Agent } from './agent.ts'
import { startModel } from './model.ts'

/** Terminals are given it twice: as the link, and as its text. */
const LINK = /https?:\/\/[\w.:]+\/oauth\/authorize\?[\w%&=.+~-]+/

const COMMAND = installed('@anthropic-ai/claude-code/bin/claude.exe')

/** Runs a command to its end; what it printed. `heard` is told everything printed so far; where that fails, the command is ended. */
const run = async (
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  heard?: (text: string) => Promise<void>,
) => {
  const child = spawn(command, args, { env, cwd: env.HOME, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  let failure: Error | undefined
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk
      heard?.(text).catch((error: Error) => {
        failure = error
        child.kill('SIGKILL')
      })
    })
  const [code] = (await once(child, 'close')) as [number | null]
  if (failure) throw failure
  return { code, text }
}

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
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }
    const added = await run(COMMAND, ['mcp', 'add', '--scope', 'user', '--transport', 'http', 'galley', mcpUrl], env)
    if (added.code !== 0) throw new Error(added.text)
    let letting: Promise<void> | undefined
    // It wants a terminal for this.
    const login = await run(
      'script',
      ['-qec', `stty cols 4000; exec ${COMMAND} mcp login galley`, '/dev/null'],
      env,
      async (text) => {
        const link = LINK.exec(text)?.[0]
        if (link === undefined || text.endsWith(link)) return
        letting ??= letIn(link)
        await letting
      },
    )
    if (login.code !== 0 || letting === undefined) throw new Error(`${login.code} ${login.text}`)
    // It may end before the person has seen the page that says so.
    await letting
    return {
      call: async (tool, args) => {
        const name = `mcp__galley__${tool}`
        model.willCall(name, args)
        const { text } = await run(
          COMMAND,
          ['-p', 'Do it.', '--allowedTools', name, '--output-format', 'json', '--model', 'claude-sonnet-4-5'],
          env,
        )
        const result = model.result()
        if (result === undefined) throw new Error(`${tool} was not called; tools: ${model.offered()} ${text}`)
        const content = result.content as string | { text: string }[]
        // It adds reminders of its own for the model.
        const [said = ''] = (typeof content === 'string' ? content : (content[0]?.text ?? '')).split(
          '\n\n<system-reminder>',
        )
        try {
          return { isError: result.is_error === true, body: JSON.parse(said) as Record<string, unknown> }
        } catch {
          throw new Error(said)
        }
      },
      close: async () => {
        await model.close()
        rmSync(home, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  },
}
