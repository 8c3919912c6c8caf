import { DeployFault } from '../fault.ts'

type Say = (text: string) => void

const WITHIN_MS = 180_000
const EVERY_MS = 2_000
/** Certificates of a new domain take a while. After this time, a message says that it waits. */
const QUIET_MS = 10_000

type Look = { status: number; text: string }

const look = async (url: string): Promise<Look> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000), redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { status: 0, text: cause instanceof Error ? cause.message : String(cause) }
  }
}

/** Returns the most probable remedy for the last answer. */
const remedyOf = ({ status, text }: Look): string => {
  if (status === 503)
    return `The Workers run, but cannot reach a service they need: ${text}. Look at the logs: npx wrangler tail galley-jobs`
  if (status === 0) return `No connection: ${text}. A new domain can take some minutes; run the same command again.`
  if (status === 403)
    return 'Something in front of the Workers refuses: switch Bot Fight Mode off for the zone, and look at its WAF rules.'
  return `It answers ${status}: ${text.slice(0, 200)}`
}

/** Waits until /readyz answers 200: the gateway, the jobs Worker, the database and Redis. Throws a DeployFault after 3 minutes. */
export const waitUntilReady = async (publicUrl: string, say: Say, withinMs = WITHIN_MS): Promise<void> => {
  const startedAt = Date.now()
  let told = false
  for (;;) {
    const seen = await look(`${publicUrl}/readyz`)
    if (seen.status === 200) return say('Proof       /readyz: gateway, jobs, database and Redis answer')
    const waited = Date.now() - startedAt
    if (waited >= withinMs) throw new DeployFault(`${publicUrl}/readyz is not ready.`, remedyOf(seen))
    if (!told && waited > QUIET_MS) {
      say(`Waiting for ${publicUrl} (up to ${withinMs / 60_000} minutes) …`)
      told = true
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}
