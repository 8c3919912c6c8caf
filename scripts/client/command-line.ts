import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { ROOT } from '../../local/root.ts'

/** Path of the command line: one file, which the service serves beside its documents. */
export const COMMAND_LINE = 'docs/downloads/galley.mjs'

/** Returns the text of the command line, bundled. */
export const bundledCommandLine = (): string =>
  buildSync({
    entryPoints: [join(ROOT, 'packages/cli/src/index.ts')],
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.6',
    banner: { js: '#!/usr/bin/env node' },
    write: false,
  }).outputFiles[0]?.text ?? ''
