import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../local/root.ts'
import { referencePages, withoutAnswer } from './docs/pages.ts'
import { generatedModules } from './generate/modules.ts'
import { answerHelp } from './help.ts'

answerHelp(`Writes docs/reference and the files named *.generated.ts from the tables the service runs on.

Usage: npm run generate [-- --record]

Examples that are new or changed are run against a local stack, and their answers are kept in scripts/docs/examples. --record runs them all.
`)

const waiting = withoutAnswer()
if (waiting.length > 0 || process.argv.includes('--record')) {
  process.stdout.write(`Running the examples${waiting.length > 0 ? `, for ${waiting.join(', ')}` : ''} …\n`)
  const vitest = ['run', '--config', 'vitest.docs.config.ts', 'test/docs/examples.test.ts']
  const { status } = spawnSync(join(ROOT, 'node_modules/.bin/vitest'), vitest, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, RECORD_EXAMPLES: '1' },
  })
  if (status !== 0) process.exit(1)
  spawnSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', 'scripts/docs/examples/answers.json'], {
    cwd: ROOT,
  })
  // The answers were read before they were written: the pages are made by another process.
  process.exit(
    spawnSync(process.execPath, [join(ROOT, 'scripts/generate.ts')], { cwd: ROOT, stdio: 'inherit' }).status ?? 1,
  )
}

for (const [path, text] of Object.entries({ ...generatedModules(), ...referencePages() })) {
  writeFileSync(join(ROOT, path), text)
  process.stdout.write(`${path}\n`)
}
