import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../local/root.ts'
import { readArguments } from './arguments.ts'
import { withRow } from './prove/page.ts'
import { PARTS, type Part } from './prove/parts.ts'

const MINUTES = 10

const USAGE = `Measures what the service promises, and writes the figures to docs/proof.md.

  npm run prove                            every part, about two hours
  npm run prove -- policies requests       these parts
  npm run prove -- policies --minutes 60   about an hour of random sequences for each part
  --list                                   lists the parts

All changes must be committed first: the page names the commit that was measured.
`

const FILE = join(ROOT, 'docs/proof.md')
const GIB = 2 ** 30

const git = (...args: string[]): string => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout

const machine = (): string =>
  `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / GIB)} GiB, Node ${process.versions.node}`

/** Runs a command, shows what it prints, and returns that. Undefined if it failed. */
const run = ({ command: [program = '', ...args], env }: Part, minutes: number): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, NO_COLOR: '1', ...env(minutes) } })
    const printed: string[] = []
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const)
      from.setEncoding('utf8').on('data', (text: string) => {
        printed.push(text)
        to.write(text)
      })
    child.on('error', reject)
    child.on('close', (code) => resolve(code === 0 ? printed.join('') : undefined))
  })

const { values, positionals } = readArguments('npm run prove --', {
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: String(MINUTES) },
    list: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
})

/** Measures the parts one after the other. Returns the names of those that failed. */
const prove = async (names: readonly string[], minutes: number): Promise<string[]> => {
  const failed: string[] = []
  for (const name of names) {
    const part = PARTS[name] as Part
    const commit = git('rev-parse', '--short', 'HEAD').trim()
    const output = await run(part, minutes)
    if (output === undefined) {
      failed.push(name)
      continue
    }
    const page = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
    const command = `npm run prove -- ${name} --minutes ${minutes}`
    const day = new Date().toISOString().slice(0, 10)
    const row = { name, claim: part.claim, figure: part.figure(output), command, day, machine: machine(), commit }
    writeFileSync(FILE, withRow(page, Object.keys(PARTS), row))
    process.stdout.write(`\n${name}: ${row.figure}\n`)
  }
  return failed
}

const minutes = Number(values.minutes)
const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name))
const changed = git('status', '--porcelain', '--', '.', ':!docs/proof.md').trim()

const refusal = (): string | undefined => {
  if (!Number.isInteger(minutes) || minutes < 1) return '--minutes takes a whole number from 1 on.'
  if (unknown !== undefined) return `${unknown} is not a part: npm run prove -- --list`
  return changed === '' ? undefined : `Commit these first, so that the page can name what was measured:\n${changed}`
}

if (values.help) process.stdout.write(USAGE)
else if (values.list) for (const [name, { claim }] of Object.entries(PARTS)) process.stdout.write(`${name}: ${claim}\n`)
else {
  const message = refusal()
  if (message !== undefined) {
    process.stderr.write(`${message}\n`)
    process.exit(2)
  }
  const failed = await prove(positionals.length > 0 ? positionals : Object.keys(PARTS), minutes)
  if (failed.length > 0) {
    process.stderr.write(`\nFailed: ${failed.join(', ')}. The output above names the seed.\n`)
    process.exitCode = 1
  }
}
