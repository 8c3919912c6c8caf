import { readArguments } from './arguments.ts'
import { makeNew } from './new/run.ts'

const USAGE = `Usage: npm run new -- KIND NAME [--like CMS]

Writes the files of a new thing and its test. They work at once; change them into what you need.

  operation articles.count   GET /articles/count, in the domain of the operations that begin with "articles."
  setting reader_name        a setting of a site: its column, entry, control and test
  job articles.links         a job: its definition, its verb, its handler
  cms acme                   an adapter, with its stand-in and guide: a copy of directus, or with --like of ghost or strapi
  page notes                 a page of a site, /p/:site/notes
`

const { values, positionals } = readArguments('npm run new --', {
  options: { like: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
})
if (values.help) process.stdout.write(USAGE)
else process.exitCode = makeNew(positionals[0], positionals[1], values.like)
