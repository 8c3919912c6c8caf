import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { ROOT } from '../../local/root.ts'
import { assetPath } from '../../src/pages/assets.ts'

/** Scripts of pages, by their folder in src/pages/browser, and what each is. */
const SCRIPTS = { editor: 'the editor', keys: 'keys and the palette' } as const

const bundled = (name: string): string =>
  buildSync({
    entryPoints: [join(ROOT, `src/pages/browser/${name}/index.ts`)],
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  }).outputFiles[0]?.text ?? ''

const filesOf = ([name, what]: [string, string]): [string, string][] => {
  const script = bundled(name)
  return [
    [`functions/pages/assets/${name}.js`, script],
    [
      `src/pages/${name}.generated.ts`,
      `// Written by \`npm run generate\` from src/pages/browser/${name}. Do not edit.
/** Address of the script of ${what}. */
export const ${name.toUpperCase()}_JS = '${assetPath(name, script, 'js')}'
`,
    ],
  ]
}

/**
 * Returns the scripts of pages as static assets of the Worker `pages`, and the modules that name their addresses. An address has a
 * hash of the script, so browsers may keep it for good.
 */
export const browserFiles = (): Record<string, string> => Object.fromEntries(Object.entries(SCRIPTS).flatMap(filesOf))
