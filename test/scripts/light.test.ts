import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { ROOT } from '../../local/bundle.ts'

const packageJson = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  scripts: Record<string, string>
}

/** The scripts that run with what `npm ci --omit=dev` installs, as scripts/run.mjs lists them. */
const LIGHT = [
  ...(/const LIGHT = \[(.+?)\]/s.exec(readFileSync(join(ROOT, 'scripts/run.mjs'), 'utf8'))?.[1] ?? '').matchAll(
    /'(.+?)'/g,
  ),
].map(([, path = '']) => path)

const packageOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/')

/** The packages a script and all it imports, at once or later, are made of. */
const packagesOf = async (...entryPoints: string[]): Promise<string[]> => {
  const { metafile } = await build({
    ...{ entryPoints, absWorkingDir: ROOT, outdir: 'none', write: false, logLevel: 'silent' },
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', metafile: true },
  })
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports)
  const names = imports
    .filter(({ external, path }) => external && !path.startsWith('node:'))
    .map(({ path }) => packageOf(path))
  return [...new Set(names)].sort()
}

it('npm start and the commands beside it need no package of the developers', async () => {
  expect(LIGHT).toContain('local/start.ts')
  const needed = await packagesOf(...LIGHT, 'local/neon/main.ts', 'functions/jobs/index.ts', 'functions/cms/index.ts')
  const missing = needed.filter((name) => !(name in packageJson.dependencies) && !name.startsWith('cloudflare:'))
  expect(missing).toEqual([])
  expect(packageJson.dependencies).toHaveProperty('workerd')
})

const SCRIPTS = Object.entries(packageJson.scripts)
  .filter(([name]) => !['test', 'test:long', 'format', 'migration'].includes(name))
  .map(([name, command]): [string, string] => [`npm run ${name} --`, command])

it.each([...SCRIPTS, ['scripts/services.sh', 'bash scripts/services.sh']])(
  '%s --help says what it does and does nothing',
  (_, command) => {
    const [program = '', ...words] = command.split(' ')
    const { status, stdout } = spawnSync(program, [...words, '--help'], { cwd: ROOT, encoding: 'utf8' })
    expect({ status, says: stdout.length > 40 }).toEqual({ status: 0, says: true })
  },
  60_000,
)
