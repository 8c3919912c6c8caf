import type { Api, ApiAnswer } from './api.ts'
import { operationAt } from './served.ts'
import type { Follow } from './tools.ts'

/** Sends the client the progress of a call in words, if it asked for that. */
export type Tell = (message: string) => Promise<void>

type Clock = { now: () => Date; wait: (ms: number) => Promise<void> }

/** Observer of a call: its listener, and its end. */
export type Following = Clock & { tell: Tell; isOver: () => boolean }

const TELL_EVERY_MS = 5_000
/** Clients give up on a call after a minute where they do not count progress as life. */
const FOLLOW_MS = 45_000
const LOOK_EVERY_MS = 3_000

/** Returns the answer of a call, and reports progress at its begin and every five seconds. */
export const underWay = async (
  { tell, now }: Following,
  words: string,
  answer: Promise<ApiAnswer>,
): Promise<ApiAnswer> => {
  const startedAt = now().getTime()
  await tell(words)
  const timer = setInterval(
    () => void tell(`${words} (${Math.round((now().getTime() - startedAt) / 1000)} s)`),
    TELL_EVERY_MS,
  )
  try {
    return await answer
  } finally {
    clearInterval(timer)
  }
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value)

type Label = { label?: unknown; percent?: unknown }

/**
 * Looks at what a call began until it has ended, three quarters of a minute at most, and tells each change. Returns how it
 * stands then; undefined where that could not be seen.
 */
export const followed = async (
  api: Api,
  { call, id, status, going, progress }: Follow,
  begun: ApiAnswer['body'],
  { tell, now, wait, isOver }: Following,
): Promise<{ status: string } | undefined> => {
  const op = operationAt(call)
  const thing = at(begun, id)
  if (!op || thing === undefined) return undefined
  const until = now().getTime() + FOLLOW_MS
  let [standing, told] = ['', '']
  while (now().getTime() < until && !isOver()) {
    const answer = await api(op, {
      method: op.method,
      path: op.path.replace(':id', encodeURIComponent(String(thing))),
    })
    if (answer.status !== 200) break
    standing = String(at(answer.body, status))
    const { label, percent } = (at(answer.body, progress) ?? {}) as Label
    const words = label === undefined ? standing : `${standing}: ${label}, ${percent} %`
    if (words !== told) await tell(words)
    told = words
    if (!going.includes(standing)) break
    await wait(LOOK_EVERY_MS)
  }
  return standing === '' ? undefined : { status: standing }
}
