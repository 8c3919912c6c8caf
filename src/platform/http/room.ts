import { ApiError } from '../lib/errors.ts'

/** Memory for large bodies: a limited number of bytes at a time in an isolate. */
export type Room = {
  /** Waits until this many bytes are free and takes them. Returns a function that gives them back. Throws `unavailable` after 15 s. */
  take: (bytes: number) => Promise<() => void>
}

/** Memory for large bodies. An isolate has 128 MB; everything else needs the rest. */
const CAPACITY_BYTES = 56 * 1024 * 1024
const MAX_WAIT_MS = 15_000

const busy = (): ApiError =>
  new ApiError('unavailable', 'Too many large bodies arrive at once. Nothing was changed; repeat the call shortly.', {
    retry_after: 5,
  })

/** Creates the memory for large bodies. Bodies that do not fit at the same time wait for their turn. */
export const createRoom = (wait: (ms: number) => Promise<void>, capacity = CAPACITY_BYTES): Room => {
  let free = capacity
  const waiting: { bytes: number; go: () => void }[] = []

  const letIn = (): void => {
    for (let next = waiting[0]; next && next.bytes <= free; next = waiting[0]) {
      waiting.shift()
      free -= next.bytes
      next.go()
    }
  }

  const giveBack = (bytes: number) => {
    let isGiven = false
    return () => {
      if (isGiven) return
      isGiven = true
      free += bytes
      letIn()
    }
  }

  return {
    take: async (bytes) => {
      const entry = { bytes, go: () => {} }
      const entered = new Promise<boolean>((resolve) => {
        entry.go = () => resolve(true)
      })
      waiting.push(entry)
      letIn()
      if (await Promise.race([entered, wait(MAX_WAIT_MS).then(() => false)])) return giveBack(bytes)
      const at = waiting.indexOf(entry)
      // It was admitted at the moment the wait ended.
      if (at < 0) return giveBack(bytes)
      waiting.splice(at, 1)
      letIn()
      throw busy()
    },
  }
}
