import type { Service } from './service.ts'
import type { Answer } from './wire.ts'
import { parseObject, RequestError } from './wire.ts'

const defaultFlushTimeoutMs = 60_000

const describeState = ({ store, dispatcher, timeScale, delivered, signWith }: Service): object => ({
  time_scale: timeScale,
  pending: store.messages.values().filter(({ messageId }) => !dispatcher.isInFlight(messageId)).length,
  in_flight: dispatcher.inFlight(),
  delivered: delivered.count,
  dead: store.dead.size(),
  schedules: store.schedules.size(),
  sign_with: signWith.key,
})

const flush = async (service: Service, body: Buffer): Promise<Answer> => {
  const { run_delayed, timeout_ms = defaultFlushTimeoutMs } = parseObject(body)
  if (run_delayed === true) service.dispatcher.fireDelayed()
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<'expired'>((resolve) => {
    timer = setTimeout(() => resolve('expired'), Number(timeout_ms))
  })
  const first = await Promise.race([service.dispatcher.idle(), expired])
  clearTimeout(timer)
  return { status: first === 'expired' ? 408 : 200, body: describeState(service) }
}

const control = (service: Service, body: Buffer): Answer => {
  const { sign_with, run_schedule } = parseObject(body)
  if (sign_with !== undefined) {
    if (sign_with !== 'current' && sign_with !== 'next') throw new RequestError(400, 'sign_with: "current" or "next"')
    service.signWith.key = sign_with
  }
  if (run_schedule !== undefined) service.scheduler.runNow(String(run_schedule))
  return { status: 200, body: describeState(service) }
}

/**
 * Answers what only tests ask for, without a token: `GET /_state`, `POST /_flush` (answers when nothing is due and
 * nothing in flight, 408 after `timeout_ms`, 60 s by default; `run_delayed` fires what waits), `POST /_control`
 * (`sign_with`, `run_schedule`). Undefined for any other request.
 */
export const answerControl = async (
  service: Service,
  method: string,
  path: string,
  body: Buffer,
): Promise<Answer | undefined> => {
  if (method === 'GET' && path === '/_state') return { status: 200, body: describeState(service) }
  if (method === 'POST' && path === '/_flush') return await flush(service, body)
  if (method === 'POST' && path === '/_control') return control(service, body)
  return undefined
}
