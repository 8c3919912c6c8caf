import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'

const Service = z.object({
  /** Includes `/api/v1`. */
  base_url: z.url(),
  api_key: z.string().min(1),
  /** The receiver's page. */
  receiver_url: z.url(),
  receiver_webhook_url: z.url(),
  receiver_token: z.string().min(1),
  qstash_url: z.string().optional(),
  sample_project_id: z.int().optional(),
  /** How many times shorter than in production the waits between retries are. */
  time_scale: z.number().positive().default(1),
})

type Service = z.infer<typeof Service>
export type Options = { service: Service; site: string; skipSchedule: boolean }

export const USAGE = `Walks through the whole workflow against the running service, showing each call and its answer.

Usage: npm run demo -- [OPTION …]

  --dir D           data folder of the running service (default .galley)
  --site URL        website of the project (default https://spaakfietsen.example)
  --skip-schedule   leaves out the article that goes by itself on its date
`

const parseOptions = (args: string[]) => {
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

/**
 * The running service's addresses and keys from `<dir>/service.json`, and the options given; undefined when they ask for help.
 * Throws with what to do.
 */
export const readOptions = (args: string[]): Options | undefined => {
  const options = parseOptions(args)
  if (options.help) return undefined
  const path = join(options.dir, 'service.json')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`No service is running: ${path} is not there. Start it with "npm start".`, { cause })
  }
  const parsed = Service.safeParse(JSON.parse(text))
  if (!parsed.success) throw new Error(`${path} is not complete: ${z.prettifyError(parsed.error)}`)
  return { service: parsed.data, site: options.site, skipSchedule: options['skip-schedule'] }
}
