import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

/** Node's load hook: a .ts file is handed over as JavaScript, everything else as it is. */
export const load = async (url, context, next) => {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
  const sourcefile = fileURLToPath(url)
  const text = await readFile(sourcefile, 'utf8')
  const { code } = await transform(text, { loader: 'ts', format: 'esm', target: 'node20', sourcefile })
  return { format: 'module', source: code, shortCircuit: true }
}
