import { installed } from '../../support/installed.ts'
import type { KeyAgent } from './agent.ts'
import { argumentsIn, blocksOf } from './page.ts'
import { run } from './run.ts'

const COMMAND = installed('@modelcontextprotocol/inspector/clients/launcher/build/index.js')

/** The Inspector's exit code for a tool that answers an error. */
const TOOL_ERROR = 5

/** Returns the MCP Inspector without its page. Its check of the tools' schemas (`--strict`) must find nothing. */
export const inspector: KeyAgent = async (mcpUrl, key) => {
  // Behind `npx` and the package's name, the arguments end with the method.
  const args = argumentsIn(blocksOf('MCP Inspector', mcpUrl, key)[0] ?? '').slice(1, -1)
  const running = { env: { PATH: process.env.PATH ?? '' }, cwd: '/' }
  const inspect = async (...method: string[]) => {
    const { code, stdout, stderr } = await run(process.execPath, [COMMAND, ...args, ...method], running)
    if ((code !== 0 && code !== TOOL_ERROR) || stderr !== '') throw new Error(`${code} ${stderr}`)
    return JSON.parse(stdout)
  }
  const { tools } = await inspect('tools/list', '--strict')
  return {
    tools: () => (tools as { name: string }[]).map(({ name }) => name),
    call: async (tool, input) => {
      const pairs = Object.entries(input).flatMap(([name, value]) => ['--tool-arg', `${name}=${JSON.stringify(value)}`])
      const { isError, structuredContent } = await inspect('tools/call', '--tool-name', tool, ...pairs)
      return { isError: isError === true, body: structuredContent }
    },
    close: async () => undefined,
  }
}
