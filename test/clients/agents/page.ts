import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../local/root.ts'

const PAGE = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8')

/** Returns the blocks under a heading of the page "Connect your client", with the address of a service and a key filled in. */
export const blocksOf = (client: string, mcpUrl: string, key = ''): string[] => {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(`${client}\n`))
  if (section === undefined) throw new Error(`docs/clients.md has no heading "${client}"`)
  return [...section.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, block = '']) =>
    block.replaceAll('https://api.example.com/mcp', mcpUrl).replaceAll('gly_live_…', key),
  )
}

/** Returns the arguments of a block that is one command: words, and texts in double quotes. */
export const argumentsIn = (block: string): string[] =>
  [...block.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word).slice(1)
