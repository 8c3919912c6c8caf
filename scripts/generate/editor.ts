import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { ROOT } from '../../local/root.ts'
import { assetPath } from '../../src/pages/assets.ts'

const bundled = (): string =>
  buildSync({
    entryPoints: [join(ROOT, 'src/pages/browser/editor/index.ts')],
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  }).outputFiles[0]?.text ?? ''

/**
 * Returns the editor's script as a static asset of the Worker `pages`, and the module that names its address. The address has a
 * hash of the script, so browsers may keep it for good.
 */
export const editorFiles = (): Record<string, string> => {
  const script = bundled()
  return {
    'functions/pages/assets/editor.js': script,
    'src/pages/editor.generated.ts': `// Written by \`npm run generate\` from src/pages/browser/editor. Do not edit.
/** Address of the editor's script. */
export const EDITOR_JS = '${assetPath('editor', script, 'js')}'
`,
  }
}
