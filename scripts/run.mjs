// Runs a command of this project under the Node it is built for, installing what is missing first. Plain JavaScript, because
// it is the one file that must run under any Node from 20 on, before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')
const lock = join(root, 'package-lock.json')
const installed = join(root, 'node_modules', '.package-lock.json')

const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 20) {
  console.error(`Node 20 or later is needed to begin; this is ${process.version}.`)
  process.exit(1)
}

/** Whether what is installed is what the lock file names. */
const isInstalled = () => {
  if (!existsSync(installed) || !existsSync(join(bin, 'node'))) return false
  if (statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return true
  const versions = (file) => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8'))
    return Object.fromEntries(
      Object.entries(packages)
        .filter(([name]) => name !== '')
        .map(([name, p]) => [name, p.version]),
    )
  }
  const have = versions(installed)
  return Object.entries(have).every(([name, version]) => versions(lock)[name] === version)
}

if (!isInstalled()) {
  console.log('Installing what is missing (the first time takes a little while) …')
  const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (install.status !== 0) process.exit(install.status ?? 1)
}

const [command = '', ...args] = process.argv.slice(2)
const env = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}
const executable = command.endsWith('.ts')
  ? [join(bin, 'node'), [join(root, command), ...args]]
  : [join(bin, command), args]
const child = spawn(...executable, { cwd: root, stdio: 'inherit', env })
// Whoever stops this process stops the command: a signal sent to this process alone would leave it running.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
