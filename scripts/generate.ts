import { answerHelp } from './help.ts'

answerHelp(`Writes docs/reference and the files named *.generated.ts from the tables the service runs on.

Usage: npm run generate [-- --record]

Examples that are new or changed are run against a local stack, and their answers are kept in scripts/docs/examples. --record runs them all.
`)

const { generate } = await import('./generate/run.ts')
process.exitCode = generate()
