import { parseArgs } from 'node:util'

export const USAGE = `Runs the whole workflow with the running service, and shows each call and its answer.

Usage: npm run demo -- [OPTION …]

  --dir D           data folder of the running service (default .galley)
  --site URL        website of the project (default https://spaakfietsen.example)
  --skip-schedule   leaves out the article that is published on its date
`

/** Reads the command line. Throws an error with the usage if an option is unknown. */
export const parseOptions = (args: string[]) => {
  try {
    return parseArgs({
      args,
      options: {
        dir: { type: 'string', default: '.galley' },
        site: { type: 'string', default: 'https://spaakfietsen.example' },
        'skip-schedule': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)}\n\n${USAGE}`, { cause })
  }
}

export type Given = ReturnType<typeof parseOptions>
