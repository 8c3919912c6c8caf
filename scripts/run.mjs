// Runs a command of this project, installing what is missing first. Plain JavaScript, because it is the one file that must run
// under any Node from 20.6 on, before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isFrom = (wantedMajor, wantedMinor) => major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
if (!isFrom(20, 6)) {
  console.error(`Node 20.6 or later is needed; this is ${process.version}.`)
  process.exit(1)
}

/**
 * Commands that need only the service's own packages, and run under the present Node. The others need the developers'
 * packages too.
 */
const LIGHT = [
  'local/start.ts',
  'server/main.ts',
  'scripts/demo.ts',
  'scripts/admin.ts',
  'scripts/migrate.ts',
  'scripts/build-wordpress.ts',
  'scripts/cms-check.ts',
]
const [command = '', ...args] = process.argv.slice(2)
const isLight = LIGHT.includes(command)

const packagesIn = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages

/** True if everything that the command needs is installed as in the lock file. */
const isInstalled = () => {
  try {
    const have = packagesIn('node_modules/.package-lock.json')
    const needed = Object.entries(packagesIn('package-lock.json')).filter(
      ([name, { dev, optional, devOptional }]) => name !== '' && !optional && !devOptional && !(dev && isLight),
    )
    return needed.every(([name, { version }]) => have[name]?.version === version)
  } catch {
    return false
  }
}

const wantsHelp = args.includes('--help') || args.includes('-h')
const readsTypeScript = isFrom(23, 6) || (major === 22 && minor >= 18)
// Our commands answer --help before they load a package.
const needsNoPackage = command.endsWith('.ts') && wantsHelp && readsTypeScript

if (!needsNoPackage && !isInstalled()) {
  console.log('Installing missing packages (the first time takes a while) …')
  // Developers' packages that are already installed stay.
  const omit = isLight && !existsSync(join(bin, 'vitest')) ? ['--omit=dev'] : []
  // Packages warn about the present Node, but commands run under the Node that the packages include.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const install = spawnSync('npm', ['ci', ...quiet, '--fetch-retries=1', ...omit], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (install.status !== 0) {
    console.error(
      install.error
        ? `npm could not be run (${install.error.message}): install it with Node, then run the command again.`
        : 'The packages could not be installed; npm printed the reason above. Check the connection to the npm registry, then run the command again.',
    )
    process.exit(install.status ?? 1)
  }
}

const env = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}
// Commands that run under the present Node may start others, which read TypeScript in the same way.
if (isLight && !readsTypeScript)
  env.NODE_OPTIONS = [process.env.NODE_OPTIONS, `--import=${import.meta.resolve('tsx')}`].filter(Boolean).join(' ')
// Cache of the TypeScript that Node compiled and read. It saves a third of the time to a command's first line.
env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'node')
const node = isLight || needsNoPackage ? process.execPath : join(bin, 'node')
// Limits V8's space for new objects: it would take up to 16 MB three times, in a process that mostly waits.
const flags = command === 'local/start.ts' || command === 'server/main.ts' ? ['--max-semi-space-size=4'] : []
const child = command.endsWith('.ts')
  ? spawn(node, [...flags, join(root, command), ...args], { cwd: root, stdio: 'inherit', env })
  : spawn(join(bin, command), args, { cwd: root, stdio: 'inherit', env })
// A signal to this process must also stop the command, which would otherwise continue.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
