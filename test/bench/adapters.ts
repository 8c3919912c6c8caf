import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { ROOT } from '../../local/root.ts'
import type { Line } from './report.ts'

/** Modules that every Worker that publishes bundles anyway. */
const SHARED = /^zod\/mini$|^\.\.\/(cms|\.\.\/(html|lib|publishing|runtime))\//

const shared: Plugin = {
  name: 'shared',
  setup: ({ onResolve }) => {
    onResolve({ filter: SHARED }, ({ path }) => ({ path, external: true }))
  },
}

/** Returns the size of an adapter's own code, minified with its packages, without code that Workers have anyway. */
const sizeOf = async (platform: string): Promise<{ bytes: number; gzippedKiB: number }> => {
  const folder = join(ROOT, 'src/providers', platform)
  const { outputFiles } = await build({
    stdin: {
      contents: ['index', 'connect'].map((file) => `export * from './${file}.ts'`).join('\n'),
      resolveDir: folder,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    plugins: [shared],
  })
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  return { bytes: code.length, gzippedKiB: gzipSync(code).length / 1024 }
}

/** Measures the size that each publishing platform adds to the Workers that publish. */
export const adapterLines = async (): Promise<Line[]> => {
  const platforms = readdirSync(join(ROOT, 'src/providers')).filter((name) =>
    existsSync(join(ROOT, 'src/providers', name, 'connect.ts')),
  )
  const lines: Line[] = []
  for (const platform of platforms) {
    const { bytes, gzippedKiB } = await sizeOf(platform)
    const note = `${(bytes / 1024).toFixed(0)} KiB before`
    lines.push({
      part: 'weight',
      name: `adapter ${platform}: gzipped`,
      kind: 'size',
      value: gzippedKiB,
      unit: 'KiB',
      note,
    })
  }
  return lines
}
