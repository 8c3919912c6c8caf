import { createDb } from '../db/client.ts'
import { ApiError } from '../lib/errors.ts'
import { requestIdHeader, waitingFor } from '../lib/request-scope.ts'
import type { Texts } from '../lib/text-work.ts'
import { type Bucket, keptFromDryRuns, NO_BUCKET } from './bucket.ts'
import type { Deps } from './ctx.ts'
import { unlessDryRun } from './dry-run.ts'
import { parseSettings, type Settings, type WorkerSpec } from './env.ts'
import { createLog, errorFields, type Log } from './log.ts'
import { createOutbound, userAgentOf } from './outbound.ts'
import { CHANGED_KEY, createRedis } from './redis.ts'

const TIMEOUT_MS = 20_000

/** Calls the texts Worker, on the same machine. */
export const textsThrough =
  (binding: { fetch: typeof fetch } | undefined): Texts =>
  async (work, given) => {
    const response = await binding
      ?.fetch(`http://texts/${work.name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...requestIdHeader() },
        body: JSON.stringify(given),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      .catch(() => undefined)
    if (!response?.ok)
      throw new ApiError('unavailable', 'The text could not be read. Nothing was changed; repeat the call shortly.', {
        retry_after: 5,
      })
    return (await response.json()) as never
  }

type Inner = { fetch: typeof fetch }
/** Bindings every Worker has besides the settings. */
export type Bindings = { JOBS?: Inner; CMS?: Inner; TEXTS?: Inner; MEDIA_BUCKET?: Bucket }

/** Address at which the jobs Worker is asked to offer what was just written, at its internal entrypoint. */
export const OFFER_URL = 'http://jobs/internal/offer'

/** Asks the jobs Worker to offer what was just written; the sweep does it when this fails. */
const wakeThrough = (jobs: Bindings['JOBS']) => async (): Promise<void> => {
  await jobs?.fetch(OFFER_URL, { method: 'POST', headers: requestIdHeader() })
}

/** Converts HTML to Markdown in the Worker of the CMSs: the converter weighs as much as all of publishing. */
const markdownThrough =
  (cms: Bindings['CMS']) =>
  async (html: string): Promise<string> => {
    const response = await cms?.fetch('http://cms/markdown', { method: 'POST', headers: requestIdHeader(), body: html })
    if (!response?.ok)
      throw new ApiError('unavailable', 'The article could not be written as Markdown. Repeat the call.')
    return await response.text()
  }

const NOTE_WAIT_MS = 2_000
/** Within what a Worker may still do after its answer (30 s), when Redis takes its time at every try. */
const NOTE_AGAIN_AFTER_MS = [500, 2_000, 5_000, 10_000]

/**
 * Leaves a new mark in Redis after a change, where the minute's work rests at all. Redis is asked again while it does not answer;
 * what it is not told at all is found within the hour.
 */
const noteThrough =
  (settings: Settings, newId: () => string, wait: Deps['wait'], log: Log) => async (): Promise<void> => {
    if (settings.cronRestMinutes === 0) return
    const redis = createRedis(settings.redisUrl, settings.redisToken, NOTE_WAIT_MS)
    for (let tries = 0; ; tries += 1) {
      try {
        return void (await waitingFor('redis', () => redis.set(CHANGED_KEY, newId())))
      } catch (error) {
        const waitMs = NOTE_AGAIN_AFTER_MS[tries]
        if (waitMs === undefined) return log('warn', 'cron.change_not_told', errorFields(error))
        await wait(waitMs / settings.retryTimeScale)
      }
    }
  }

/** Stops at a named step where a test asked for it; a production configuration has no STEP_HOOK_URL. */
const stepThrough =
  (url: string) =>
  async (name: string): Promise<void> => {
    if (url !== '') await fetch(url, { method: 'POST', body: name })
  }

/** Builds a Worker's dependencies from its environment. Throws when a setting is missing or malformed. */
export const depsFrom = (env: Bindings & Record<string, unknown>, worker: WorkerSpec): Deps => {
  const settings = parseSettings(env, worker)
  const log = createLog({ worker: worker.name })
  const now = () => new Date()
  const outbound = createOutbound({
    allowLoopback: settings.allowPrivateHosts,
    dnsQueryUrl: settings.dnsQueryUrl,
    userAgent: userAgentOf(settings),
    log,
    now,
  })
  const wait: Deps['wait'] = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  return {
    settings,
    db: createDb(settings.databaseUrl, settings.neonFetchEndpoint, settings.databaseWaitMs),
    outbound,
    media: keptFromDryRuns(env.MEDIA_BUCKET ?? NO_BUCKET),
    log,
    now,
    newId: () => crypto.randomUUID(),
    random: Math.random,
    wait,
    wakeQueue: unlessDryRun(wakeThrough(env.JOBS)),
    texts: textsThrough(env.TEXTS),
    toMarkdown: markdownThrough(env.CMS),
    noteChange: unlessDryRun(noteThrough(settings, () => crypto.randomUUID(), wait, log)),
    step: stepThrough(settings.stepHookUrl),
  }
}
