import { createDb } from '../db/client.ts'
import { ApiError } from '../lib/errors.ts'
import { requestIdHeader, waitingFor } from '../lib/request-scope.ts'
import { requestSigner } from '../lib/request-signature.ts'
import type { Texts } from '../lib/text-work.ts'
import { type Bucket, keptFromDryRuns, NO_BUCKET } from './bucket.ts'
import type { Deps } from './ctx.ts'
import { unlessDryRun } from './dry-run.ts'
import { parseSettings, type Settings, type WorkerSpec } from './env.ts'
import { createLog, errorFields, type Log } from './log.ts'
import { createOutbound, userAgentOf } from './outbound.ts'
import { CHANGED_KEY, createRedis } from './redis.ts'

const TIMEOUT_MS = 20_000

/** Returns a function that calls the texts Worker, which runs on the same machine. It throws `unavailable` if the call fails. */
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
/** Bindings that a Worker can have in addition to its settings. */
export type Bindings = { JOBS?: Inner; CMS?: Inner; TEXTS?: Inner; MEDIA_BUCKET?: Bucket }

/** Address of the jobs Worker's internal entrypoint that offers new outbox rows. */
export const OFFER_URL = 'http://jobs/internal/offer'

/** Asks the jobs Worker to offer new outbox rows. If this fails, the sweep offers them. */
const wakeThrough = (jobs: Bindings['JOBS']) => async (): Promise<void> => {
  await jobs?.fetch(OFFER_URL, { method: 'POST', headers: requestIdHeader() })
}

/** Converts HTML to Markdown in the `cms` Worker: the converter is as large as all of publishing. */
const markdownThrough =
  (cms: Bindings['CMS']) =>
  async (html: string): Promise<string> => {
    const response = await cms?.fetch('http://cms/markdown', { method: 'POST', headers: requestIdHeader(), body: html })
    if (!response?.ok)
      throw new ApiError('unavailable', 'The article could not be written as Markdown. Repeat the call.')
    return await response.text()
  }

const NOTE_WAIT_MS = 2_000
/** Delays between tries, ms. Even if every try times out, all of them fit into the 30 s that a Worker has after its answer. */
const NOTE_AGAIN_AFTER_MS = [500, 2_000, 5_000, 10_000]

/**
 * Writes a new mark to Redis after a change, unless resting is switched off.
 *
 * Retries if Redis does not answer. If every try fails, the work is found within the hour, because no rest is longer.
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

/** Reports a named step to the address that a test has set, and waits for its answer. Production has no STEP_HOOK_URL. */
const stepThrough =
  (url: string) =>
  async (name: string): Promise<void> => {
    if (url !== '') await fetch(url, { method: 'POST', body: name })
  }

/** Builds a Worker's dependencies from its environment. Throws if a setting is missing or malformed. */
export const depsFrom = (env: Bindings & Record<string, unknown>, worker: WorkerSpec): Deps => {
  const settings = parseSettings(env, worker)
  const log = createLog({ worker: worker.name })
  const now = () => new Date()
  const outbound = createOutbound({
    allowLoopback: settings.allowPrivateHosts,
    dnsQueryUrl: settings.dnsQueryUrl,
    userAgent: userAgentOf(settings),
    signer: requestSigner(settings.requestKeys, settings.publicUrl),
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
