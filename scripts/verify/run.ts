import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bundleWorkers } from '../../local/bundle.ts'
import { readMigrations } from '../../local/migrations.ts'
import { ROOT } from '../../local/root.ts'
import { anchorOf } from '../../src/platform/lib/text.ts'
import { weighBundles } from '../bundles/size.ts'
import { bundledCommandLine, COMMAND_LINE } from '../client/command-line.ts'
import { CLIENT } from '../client/description.ts'
import { isClientCurrent } from '../client/generate.ts'
import { referencePages } from '../docs/pages.ts'
import { browserFiles } from '../generate/browser.ts'
import { generatedModules } from '../generate/modules.ts'
import { brokenLayers, twoWayPairs, upwardEntries } from '../layers/check.ts'
import { faultsIn } from '../migrations/rules.ts'
import { migrationFault } from './apply-migrations.ts'
import { missingTargets } from './targets.ts'

/** One check: its name, and a function that returns its findings ('' if there are none). */
type Check = { name: string; run: () => Promise<string> }

const command = (name: string, executable: string, args: string[]): Check => ({
  name,
  run: () =>
    new Promise((resolve) => {
      const child = spawn(join(ROOT, 'node_modules/.bin', executable), args, { cwd: ROOT })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
      child.on('error', (error) => resolve(error.message))
      child.on('exit', (code) => resolve(code === 0 ? '' : output || `exit code ${code}`))
    }),
})

const filesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).sort() : []

/** Generates a migration into a copy. A new file means that the schema changed without a migration. */
const migrationDrift: Check = {
  name: 'migrations match the schema',
  run: async () => {
    const copy = mkdtempSync(join(tmpdir(), 'galley-drift-'))
    try {
      const out = join(copy, 'migrations')
      cpSync(join(ROOT, 'schema/migrations'), out, { recursive: true })
      const config = join(copy, 'drizzle.config.json')
      writeFileSync(config, JSON.stringify({ dialect: 'postgresql', schema: join(ROOT, 'schema/*.ts'), out }))
      const before = filesIn(out)
      const failed = await command('', 'drizzle-kit', ['generate', '--config', config, '--name', 'drift']).run()
      const added = filesIn(out).filter((file) => !before.includes(file) && file.endsWith('.sql'))
      const sql = added.map((file) => readFileSync(join(out, file), 'utf8')).join('\n')
      return (
        failed || (added.length > 0 ? `The schema has changes without a migration; run npm run migration:\n${sql}` : '')
      )
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  },
}

/** Migration with the tables of release 0.3.0. It only makes new tables, so no caller waits for one. */
const BASE = '0000_init'

const migrationSafety: Check = {
  name: 'new migrations hold up no request and fit the code before them',
  run: async () =>
    readMigrations()
      .filter(({ tag }) => tag > BASE)
      .flatMap(({ tag, statements }) =>
        faultsIn(statements).map(({ statement, reason }) => `${tag}: ${reason}\n  ${statement.slice(0, 200)}`),
      )
      .join('\n'),
}

const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs', 'packages', 'skills']

const documents = (): string[] =>
  DOCUMENTS.flatMap((name) =>
    name.endsWith('.md') ? [name] : filesIn(join(ROOT, name)).map((file) => join(name, file)),
  ).filter((name) => name.endsWith('.md'))

/** Returns the anchors of a document: its headings, in GitHub's form. */
const anchorsOf = (path: string): Set<string> =>
  new Set([...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))

/** Returns links of a document to headings that do not exist. */
const lostAnchorsIn = (document: string): string[] =>
  [...readFileSync(join(ROOT, document), 'utf8').matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g)].flatMap(
    ([, file = '', anchor = '']) => {
      const path = file === '' ? document : join(dirname(document), file)
      if (!existsSync(join(ROOT, path)) || anchorsOf(join(ROOT, path)).has(anchor)) return []
      return [`${document} links to ${path}#${anchor}, which is no heading there`]
    },
  )

/** Returns the names in a document of missing things: files in backticks, links to files, and npm scripts. */
const danglingIn = (document: string, scripts: Record<string, string>): string[] => {
  const text = readFileSync(join(ROOT, document), 'utf8')
  const paths = [
    ...text.matchAll(
      /`((?:src|functions|schema|local|test|scripts|config|docs|examples|integrations|packages|skills)\/[\w./-]*)`/g,
    ),
  ].map((m) => m[1] ?? '')
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((m) =>
    join(dirname(document), m[1] ?? ''),
  )
  const commands = [...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)]
    .map((m) => m[1] ?? '')
    .filter((name) => !(name in scripts))
  return [
    ...[...paths, ...links]
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => `${document} names ${path}, which does not exist`),
    ...lostAnchorsIn(document),
    ...commands.map((name) => `${document} names npm run ${name}, which does not exist`),
  ]
}

const documentPaths: Check = {
  name: 'documents name what exists, and every target',
  run: async () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    return [...documents().flatMap((document) => danglingIn(document, scripts)), ...missingTargets()].join('\n')
  },
}

const generatedFiles: Check = {
  name: 'generated files and reference pages match the tables',
  run: async () => {
    try {
      const stale = Object.entries({
        ...generatedModules(),
        ...browserFiles(),
        ...referencePages(),
        [COMMAND_LINE]: bundledCommandLine(),
      })
        .filter(([path, text]) => !existsSync(join(ROOT, path)) || readFileSync(join(ROOT, path), 'utf8') !== text)
        .map(([path]) => path)
      return [...stale, ...(isClientCurrent() ? [] : [CLIENT])]
        .map((path) => `${path} is out of date; run npm run generate`)
        .join('\n')
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  },
}

const layers: Check = {
  name: 'who may import whom (dependency-cruiser over the real import graph)',
  run: async () =>
    [
      ...twoWayPairs().map((pair) => `the table lets ${pair} import each other`),
      ...upwardEntries().map((entry) => `the table lets a domain import from a later area: ${entry}`),
      ...(await brokenLayers(ROOT)),
    ].join('\n'),
}

const SOURCES = ['src', 'functions', 'schema', 'local', 'scripts', 'packages']

const isCode = (file: string): boolean => /\.(?:ts|tsx|mjs)$/.test(file)

/**
 * Pattern of a call of the platform's own `fetch`, which sends no User-Agent. `binding.fetch(` calls another Worker.
 */
const BARE_FETCH = /(?<![.\w])(?:globalThis\.)?fetch\(/

const namedRequests: Check = {
  name: 'providers are asked by src/platform/runtime/outbound.ts, which names the service',
  run: async () =>
    filesIn(join(ROOT, 'src/providers'))
      .filter((file) => isCode(file) && BARE_FETCH.test(readFileSync(join(ROOT, 'src/providers', file), 'utf8')))
      .map((file) => `src/providers/${file}: ask by \`outbound\`, or give an SDK \`fetchAs\``)
      .join('\n'),
}

/** Code that changes packages or uses their unexported parts, and what to do instead. */
const NOT_AS_PUBLISHED: readonly [RegExp, string][] = [
  [/\bonLoad\(|\bonResolve\(/, 'no code runs inside the bundler; write a *.generated.ts by npm run generate'],
  [/(?:from|import|import\(|require\() ?['"][^'"]*node_modules\//, 'import what the package exports, by its name'],
  [/\bregisterHooks\(|\bmodule\.register\(/, 'no resolver of Node is replaced'],
]

const packagesAsPublished: Check = {
  name: 'packages are used as published (no bundler plugins, no imports of their internals)',
  run: async () =>
    SOURCES.flatMap((folder) => filesIn(join(ROOT, folder)).map((file) => join(folder, file)))
      .filter((file) => isCode(file) && !file.includes('.wrangler'))
      .filter((file) => file !== join('scripts', 'verify', 'run.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(ROOT, file), 'utf8')
        return NOT_AS_PUBLISHED.filter(([pattern]) => pattern.test(text)).map(([, remedy]) => `${file}: ${remedy}`)
      })
      .join('\n'),
}

/** Pattern of a batch as a list, whose results would be read by place. */
const LISTED_BATCH = /\b(?:batch\(|sendBatch\([\w.]+,)\s*\[/

const stepsByName: Check = {
  name: 'batches are named steps, so that no result is read by place',
  run: async () =>
    ['src', 'functions']
      .flatMap((folder) => filesIn(join(ROOT, folder)).map((file) => join(folder, file)))
      .filter((file) => isCode(file) && LISTED_BATCH.test(readFileSync(join(ROOT, file), 'utf8')))
      .map((file) => `${file}: name the steps, see docs/design/writes.md`)
      .join('\n'),
}

const workersBuild: Check = {
  name: 'every Worker builds, and weighs what it may',
  run: async () => {
    mkdirSync(join(ROOT, '.galley'), { recursive: true })
    try {
      const { lines, tooLarge } = weighBundles(await bundleWorkers())
      process.stdout.write(`      KiB gzipped: ${lines.join(', ')}\n`)
      return tooLarge.join('\n')
    } catch (error) {
      return String(error)
    }
  },
}

const CHECKS: Check[] = [
  command('format, lint, imports, floating promises (biome)', 'biome', ['ci', '--max-diagnostics=50', '--colors=off']),
  command('types of the Workers (tsc)', 'tsc', ['-p', 'tsconfig.json']),
  command('types of the browsers’ scripts (tsc)', 'tsc', ['-p', 'config/tsconfig.browser.json']),
  command('types of everything else (tsc)', 'tsc', ['-p', 'config/tsconfig.node.json']),
  command('nothing unused (knip)', 'knip', ['--config', 'config/knip.json', '--no-progress']),
  layers,
  namedRequests,
  packagesAsPublished,
  stepsByName,
  migrationDrift,
  migrationSafety,
  { name: 'migrations apply to an empty database', run: () => migrationFault() },
  documentPaths,
  generatedFiles,
  workersBuild,
]

/**
 * Runs the checks whose names contain one of the words, or all if there are none, and prints the findings of each. Returns the
 * exit code: 2 if no check has such a name.
 */
export const verify = async (words: readonly string[] = []): Promise<number> => {
  const checks = CHECKS.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase())),
  )
  if (checks.length === 0) {
    process.stderr.write(
      `No check has ${words.join(' or ')} in its name. The checks:\n${CHECKS.map(({ name }) => `  ${name}`).join('\n')}\n`,
    )
    return 2
  }
  const startedAt = Date.now()
  let failures = 0
  // In parallel, because most of them are single-threaded programs.
  const running = checks.map(({ name, run }) => ({ name, ended: run() }))
  for (const { name, ended } of running) {
    const problem = await ended
    process.stdout.write(`${problem === '' ? 'ok  ' : 'FAIL'}  ${name}\n`)
    if (problem !== '') {
      failures += 1
      process.stdout.write(`${problem.trimEnd().replace(/^/gm, '      ')}\n`)
    }
  }
  process.stdout.write(
    `${checks.length - failures} of ${checks.length} checks passed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`,
  )
  return failures === 0 ? 0 : 1
}
