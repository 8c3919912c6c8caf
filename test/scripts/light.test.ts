import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'

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

/** Returns the packages a script and all it imports, at once or later, are made of. */
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

it('npm start and similar commands need no development package', async () => {
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
  '%s --help explains the command and does nothing else',
  (_, command) => {
    const [program = '', ...words] = command.split(' ')
    const { status, stdout } = spawnSync(program, [...words, '--help'], { cwd: ROOT, encoding: 'utf8' })
    expect({ status, says: stdout.length > 40 }).toEqual({ status: 0, says: true })
  },
  60_000,
)

/** Scripts of a fresh clone, before anything is installed. */
const clone = mkdtempSync(join(tmpdir(), 'galley-clone-'))
afterAll(() => rmSync(clone, { recursive: true, force: true }))
beforeAll(() => {
  for (const path of ['package.json', 'package-lock.json', 'schema', 'scripts', 'local', 'test/bench'])
    cpSync(join(ROOT, path), join(clone, path), { recursive: true })
})

it.each([
  ['local/start.ts'],
  ['scripts/deploy.ts'],
  ['scripts/cms-check.ts'],
  ['scripts/generate.ts'],
  ['scripts/mutate.ts'],
  ['test/bench/main.ts'],
])(
  '%s --help prints the same without installed packages, and installs nothing',
  (command) => {
    const here = spawnSync(process.execPath, [join(ROOT, command), '--help'], { encoding: 'utf8' })
    // Without a PATH no npm is found.
    const there = spawnSync(process.execPath, ['scripts/run.mjs', command, '--help'], {
      ...{ cwd: clone, encoding: 'utf8', env: { PATH: '' } },
    })
    expect([there.status, there.stdout.trimEnd()]).toEqual([0, here.stdout.trimEnd()])
  },
  60_000,
)

it.each([
  ['local/start.ts', 'npm start -- --help'],
  ['scripts/mutate.ts', 'npm run mutate -- --help'],
  ['scripts/cms-check.ts', 'npm run cms-check -- --help'],
  ['test/bench/main.ts', 'npm run bench -- --help'],
])(
  '%s names --help for an unknown option',
  (command, help) => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, command), '--prot'], { encoding: 'utf8' })
    expect(status).not.toBe(0)
    expect(stderr).toMatch(/^Unknown option '--prot'/)
    expect(stderr).toContain(help)
  },
  60_000,
)
