import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Returns a file of a package that a proof's own command installed (scripts/test-mcp.sh, scripts/test-pages.sh). */
export const installed = (path: string): string => join(process.env.INSTALLED ?? '', 'node_modules', path)

/** Returns a module of such a package. */
export const load = async <Module>(path: string): Promise<Module> =>
  (await import(pathToFileURL(installed(path)).href)) as Module
