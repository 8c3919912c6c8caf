import { readArguments } from './arguments.ts'

const USAGE = `Checks format, lint, types, layers, unused code, migrations, documents, generated files and every Worker's build.

Usage: npm run verify [-- --only WORDS]

  --only WORDS   only the checks whose names contain one of these words, separated by commas: --only types,migrations
`

const { values } = readArguments('npm run verify --', {
  options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) {
  process.stdout.write(USAGE)
} else {
  const { verify } = await import('./verify/run.ts')
  process.exitCode = await verify(values.only?.split(',').map((word) => word.trim()) ?? [])
}
