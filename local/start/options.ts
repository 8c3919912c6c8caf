import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../root.ts'

/** Returns a path relative to the current folder if it is inside, else unchanged. */
export const shown = (path: string): string => {
  const short = relative(process.cwd(), path)
  return short === '' || short.startsWith('..') ? path : short
}

const DEFAULT_PORT = 8787
const DEFAULT_TIME_SCALE = 10
const DEFAULT_DIR = join(ROOT, '.galley')

export const USAGE = `Runs the whole service on this machine.

Usage: npm start -- [OPTION …]

  --port N         port of the public address (default ${DEFAULT_PORT})
  --dir D          folder for data and service.json (default .galley)
  --fresh          starts with empty data, and moves the old data to old/ in the data folder
  --no-sample      creates no sample project
  --time-scale N   divides the waits between retries (default ${DEFAULT_TIME_SCALE}; 1 as in production)
`

export type Options = { port: number; dir: string; fresh: boolean; sample: boolean; timeScale: number }

const quoted = (text: string): string => (/^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** Returns the command line that starts with these options. */
export const commandWith = ({ port, dir, fresh, sample, timeScale }: Options): string =>
  [
    'npm start --',
    ...(dir === DEFAULT_DIR ? [] : [`--dir ${quoted(shown(dir))}`]),
    `--port ${port}`,
    ...(fresh ? ['--fresh'] : []),
    ...(sample ? [] : ['--no-sample']),
    ...(timeScale === DEFAULT_TIME_SCALE ? [] : [`--time-scale ${timeScale}`]),
  ].join(' ')

const parsed = (args: string[]) => {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: 'string' },
        dir: { type: 'string' },
        fresh: { type: 'boolean' },
        'no-sample': { type: 'boolean' },
        'time-scale': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)}\nSee: npm start -- --help`, { cause })
  }
}

/** Reads the command line; undefined if it asks for help. Throws an error that names the wrong option. */
export const readOptions = (args: string[]): Options | undefined => {
  const { values } = parsed(args)
  if (values.help) return undefined
  const port = Number(values.port ?? DEFAULT_PORT)
  const timeScale = Number(values['time-scale'] ?? DEFAULT_TIME_SCALE)
  if (!Number.isInteger(port) || port < 0 || port > 65_534) throw new Error('--port takes a number from 0 to 65534')
  if (!(timeScale >= 1 && timeScale <= 1_000)) throw new Error('--time-scale takes a number from 1 to 1000')
  return {
    port,
    dir: resolve(values.dir ?? DEFAULT_DIR),
    fresh: values.fresh ?? false,
    sample: !values['no-sample'],
    timeScale,
  }
}
