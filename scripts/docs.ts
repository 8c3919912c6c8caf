import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../local/bundle.ts'
import { referencePages } from './docs/pages.ts'
import { answerHelp } from './help.ts'

answerHelp(`Writes docs/reference from the tables the service runs on.

Usage: npm run docs
`)

for (const [path, text] of Object.entries(referencePages())) {
  writeFileSync(join(ROOT, path), text)
  process.stdout.write(`${path}\n`)
}
