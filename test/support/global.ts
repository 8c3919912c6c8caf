import type { TestProject } from 'vitest/node'
import { PATIENCE_MS } from './patience.ts'
import { startTestStack, type TestStack, targetOf } from './stack.ts'

/** Addresses of the stack that all ordinary tests share. */
export type SharedStack = {
  url: string
  neonUrl: string
  redisUrl: string
  qstashUrl: string
  receiverUrl: string
  receiverToken: string
  zernioUrl: string
  crowdworkUrl: string
  mailUrl: string
  googleUrl: string
  telegramUrl: string
  indexNowUrl: string
  stripeUrl: string
  r2Url: string
  connectionString: string
  dataForSeoUrl: string
  ahrefsUrl: string
  cronUrl: string
  logFile: string
}

declare module 'vitest' {
  interface ProvidedContext {
    stack: SharedStack
  }
}

/** Returns a stack as tests that share it see it. */
export const sharedOf = (stack: TestStack): SharedStack => ({
  ...targetOf(stack),
  redisUrl: stack.redis.url,
  qstashUrl: stack.qstash.url,
  receiverUrl: stack.receiver.url,
  receiverToken: stack.receiverToken,
  zernioUrl: stack.zernio.url,
  crowdworkUrl: stack.crowdwork.url,
  mailUrl: stack.mail.url,
  googleUrl: stack.google.url,
  telegramUrl: stack.telegram.url,
  indexNowUrl: stack.indexNow.url,
  stripeUrl: stack.stripe.url,
  r2Url: stack.r2.url,
  dataForSeoUrl: stack.providers.dataForSeo.url,
  ahrefsUrl: stack.providers.ahrefs.url,
  cronUrl: stack.workers().cronUrl,
  logFile: `${stack.workDir}/workers.log`,
})

/**
 * Starts one stack for the whole run. Each test has its own accounts in it.
 *
 * No test turns its Redis off, so the limiter waits for a late answer: even a busy machine reports what is left of a
 * rate.
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const stack = await startTestStack({ vars: { LIMITER_WAIT_MS: String(PATIENCE_MS) } }).catch((error: unknown) => {
    // Vitest would print the names of all test files before the reason.
    const reason = error instanceof Error ? error.stack : String(error)
    process.stderr.write(`The local cloud did not start, so no test ran.\n${reason}\n`)
    process.exit(1)
  })
  project.provide('stack', sharedOf(stack))
  return () => stack.close()
}
