import { answerHelp } from './help.ts'

answerHelp(`Writes docs/reference and the files named *.generated.ts from the tables the service runs on.

Usage: npm run generate [-- --record]

New and changed examples are run against a local service, and their answers are saved in scripts/docs/examples. --record runs all of them.
`)

const { generate } = await import('./generate/run.ts')
process.exitCode = generate()
