import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { ROOT } from '../../local/root.ts'
import { assetPath } from '../../src/pages/assets.ts'

/** Scripts of pages, by their folder in src/pages/browser, with a description of each. */
const SCRIPTS = { editor: 'the editor', keys: 'keys and the palette', pictures: 'the pictures of a post' } as const

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
 * Returns the scripts of pages as static assets of the Worker `pages`, and the modules that contain their addresses.
 *
 * An address contains a hash of the script, so that browsers may keep it forever.
 */
export const browserFiles = (): Record<string, string> => Object.fromEntries(Object.entries(SCRIPTS).flatMap(filesOf))
