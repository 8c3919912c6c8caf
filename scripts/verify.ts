import { answerHelp } from './help.ts'

answerHelp(`Format, lint, types, unused code, migration drift, documents and every Worker's build.

Usage: npm run verify
`)

const { verify } = await import('./verify/run.ts')
process.exitCode = await verify()
