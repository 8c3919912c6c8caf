import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { freePort } from '../../../local/start/ports.ts'
import { installed } from '../../support/installed.ts'
import type { Agent } from './agent.ts'

const ASKED = /Please authorize this client by visiting:\s*(http\S+)/

/** mcp-remote, by which clients that only start programs reach servers that ask for OAuth. It registers itself. */
export const mcpRemote: Agent = {
  name: 'MCP CLI Proxy',
  connect: async (mcpUrl, letIn) => {
    const home = mkdtempSync(join(tmpdir(), 'galley-mcp-remote-'))
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [installed('mcp-remote/dist/proxy.js'), mcpUrl, String(await freePort()), '--allow-http'],
      env: { PATH: process.env.PATH ?? '', HOME: home, MCP_REMOTE_CONFIG_DIR: home, BROWSER: 'true' },
      stderr: 'pipe',
    })
    let said = ''
    const links: string[] = []
    let letting: Promise<void> | undefined
    let failed: (error: Error) => void = () => undefined
    const refusal = new Promise<never>((_, reject) => {
      failed = reject
    })
    refusal.catch(() => undefined)
    transport.stderr?.on('data', (chunk: Buffer) => {
      said += chunk
      const link = ASKED.exec(said)?.[1]
      if (link === undefined || !said.endsWith('\n')) return
      said = said.replace(ASKED, '')
      links.push(link)
      if (links.length === 1) {
        letting = letIn(link)
        letting.catch(failed)
      } else failed(new Error('it asks to be let in again'))
    })
    const client = new Client({ name: 'host', version: '1' })
    await Promise.race([client.connect(transport, { timeout: 60_000 }), refusal])
    // It may be connected before the person has seen the page that says so.
    await letting
    return {
      call: async (tool, args) => {
        const result = await Promise.race([client.callTool({ name: tool, arguments: args }), refusal])
        return { isError: result.isError === true, body: result.structuredContent as Record<string, unknown> }
      },
      close: async () => {
        await client.close()
        rmSync(home, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  },
}
