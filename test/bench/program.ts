import { join } from 'node:path'
import { build } from 'esbuild'

/** Returns a Worker of `workers/` as one module, as a Worker's build makes it. */
export const bundled = async (name: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'workers', `${name}.ts`)],
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
