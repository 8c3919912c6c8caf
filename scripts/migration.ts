import { readArguments } from './arguments.ts'

const USAGE = `Writes a migration for a changed schema, and a second one that validates its new constraints.

Usage: npm run migration -- --name WORDS [--custom]

  --name WORDS   name of the file, such as article_links
  --custom       an empty migration for statements of your own
`

const { values } = readArguments('npm run migration --', {
  options: { name: { type: 'string' }, custom: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) {
  process.stdout.write(USAGE)
} else if (values.name === undefined) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else {
  const { writeMigrations } = await import('./migrations/write.ts')
  process.exitCode = writeMigrations(values.name, values.custom)
}
