import { answerHelp } from './help.ts'
import { makeNew } from './new/run.ts'

answerHelp(`Usage: npm run new -- KIND NAME

Writes the files of a new thing and its test. They work at once; change them into what you need.

  operation articles.count   GET /articles/count, in the domain of the operations that begin with "articles."
  setting reader_name        a setting of a site: its column, entry, control and test
  job articles.links         a job: its definition, its verb, its handler
  cms acme                   an adapter: a copy of a working one, with its stand-in
  page notes                 a page of a site, /p/:site/notes
`)
process.exitCode = makeNew(...process.argv.slice(2))
