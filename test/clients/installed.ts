import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A file of a package that scripts/test-mcp.sh installed. */
export const installed = (path: string): string => join(process.env.MCP_CLIENTS ?? '', 'node_modules', path)

/** A module of such a package. */
export const load = async <Module>(path: string): Promise<Module> =>
  (await import(pathToFileURL(installed(path)).href)) as Module
