import { build } from 'esbuild'
import { ROOT } from '../../local/root.ts'

/** Returns one module made of JavaScript that imports from this repository, as a Worker's build makes it. */
export const bundled = async (source: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: ROOT, loader: 'js' },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  })
  const [output] = outputFiles
  if (!output) throw new Error('esbuild wrote nothing')
  return output.text
}
