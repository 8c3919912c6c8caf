import { DeployFault } from './fault.ts'

/** Answer to a call. `json` is undefined if the text is no JSON. */
export type HttpAnswer = { status: number; json: unknown; text: string }

const TIMEOUT_MS = 20_000

const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}

/** Makes one call. Returns its status and body. Throws a DeployFault that names `who` if there is no answer. */
export const callHttp = async (who: string, url: string, init: RequestInit = {}): Promise<HttpAnswer> => {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = await response.text()
    return { status: response.status, json: jsonOf(text), text }
  } catch (error) {
    throw new DeployFault(
      `${who} does not answer at ${new URL(url).origin}: ${causeOf(error)}.`,
      'Check the address in the settings and the network, then run the same command again.',
    )
  }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
