import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Given } from './options.ts'

const Service = z.object({
  /** With `/api/v1` at its end. */
  base_url: z.url(),
  api_key: z.string().min(1),
  /** Address of the receiver's page. */
  receiver_url: z.url(),
  receiver_webhook_url: z.url(),
  receiver_token: z.string().min(1),
  qstash_url: z.string().optional(),
  sample_project_id: z.int().optional(),
  /** Factor by which the waits between retries are shorter than in production. */
  time_scale: z.number().positive().default(1),
})

type Service = z.infer<typeof Service>
export type Options = { service: Service; site: string; skipSchedule: boolean }

/**
 * Returns the running service's addresses and keys from `<dir>/service.json`, and the given options. If there is no
 * file, throws an error that says what to do.
 */
export const readOptions = (options: Given): Options => {
  const path = join(options.dir, 'service.json')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`No service is running: ${path} does not exist. Start it with "npm start".`, { cause })
  }
  const parsed = Service.safeParse(JSON.parse(text))
  if (!parsed.success) throw new Error(`${path} is not complete: ${z.prettifyError(parsed.error)}`)
  return { service: parsed.data, site: options.site, skipSchedule: options['skip-schedule'] }
}

const ANSWER_MS = 5_000

/** Throws an error that says what to do if the service does not answer. */
export const checkAnswers = async ({ service: { base_url: url } }: Options): Promise<void> => {
  try {
    await fetch(`${url.replace(/\/$/, '')}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) })
  } catch (cause) {
    throw new Error(`The service does not answer at ${url}. Start it with "npm start".`, { cause })
  }
}
