import { type Answer, json } from '../receiver/answers.ts'
import type { Service } from './service.ts'
import { parseObject, RequestError } from './wire.ts'

const FLUSH_TIMEOUT_MS = 60_000

const describeState = ({ store, dispatcher, pace, counts, signWith }: Service): object => ({
  time_scale: pace.timeScale,
  pending: store.messages.values().filter(({ messageId }) => !dispatcher.isInFlight(messageId)).length,
  in_flight: dispatcher.inFlight(),
  delivered: counts.delivered,
  dead: counts.dead,
  sign_with: signWith.key,
})

const flush = async (service: Service, body: string): Promise<Answer> => {
  const { run_delayed, timeout_ms = FLUSH_TIMEOUT_MS } = parseObject(body)
  if (run_delayed === true) service.dispatcher.fireDelayed()
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<'expired'>((resolve) => {
    timer = setTimeout(() => resolve('expired'), Number(timeout_ms))
  })
  const first = await Promise.race([service.dispatcher.idle(), expired])
  clearTimeout(timer)
  return json(first === 'expired' ? 408 : 200, describeState(service))
}

const control = (service: Service, body: string): Answer => {
  const { sign_with } = parseObject(body)
  if (sign_with !== undefined) {
    if (sign_with !== 'current' && sign_with !== 'next') throw new RequestError(400, 'sign_with: "current" or "next"')
    service.signWith.key = sign_with
  }
  return json(200, describeState(service))
}

/**
 * Answers requests that only tests send, without a token; undefined for any other request.
 *
 * - `GET /_state`: the messages that wait and those in flight.
 * - `POST /_flush`: answers when nothing is due and nothing in flight, 408 after `timeout_ms` (60 s by default).
 *   `run_delayed`
 *   delivers waiting messages at once.
 * - `POST /_control`: `sign_with`.
 */
export const answerControl = async (service: Service, route: string, body: string): Promise<Answer | undefined> => {
  if (route === 'GET /_state') return json(200, describeState(service))
  if (route === 'POST /_flush') return await flush(service, body)
  if (route === 'POST /_control') return control(service, body)
  return undefined
}
