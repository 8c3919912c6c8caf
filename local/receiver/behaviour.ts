import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Answer, html, json, MAX_TIMER_MS, type Outcome, refusal } from './answers.ts'
import { signingKey } from './signature.ts'

/** Ways to behave. `stores`: true if the post is stored before the answer, or before there is none. */
const MODES = {
  ok: { stores: true },
  down: { stores: false },
  unavailable: { stores: false },
  timeout: { stores: false },
  close_after_read: { stores: true },
  close_before: { stores: false },
  redirect: { stores: false },
  success_false: { stores: false },
  noise: { stores: true },
  empty: { stores: true },
  not_json: { stores: true },
  processed_zero: { stores: false },
  reject: { stores: false },
  gone: { stores: false },
  slow: { stores: true },
  html_firewall: { stores: false },
} as const satisfies Record<string, { stores: boolean }>

type Mode = keyof typeof MODES
export const MODE_NAMES = Object.keys(MODES) as [Mode, ...Mode[]]

const NOISE_BYTES = 2 * 1024 * 1024

/** The body of `POST /_control`. */
export const Control = z
  .strictObject({
    mode: z.enum(MODE_NAMES).optional(),
    times: z.int().positive().optional(),
    retry_after: z.union([z.string(), z.number()]).optional(),
    location: z.string().min(1).optional(),
    delay_ms: z.int().nonnegative().max(MAX_TIMER_MS).optional(),
    error: z.string().optional(),
    store: z.boolean().optional(),
    signing_secret: z
      .string()
      .nullable()
      .optional()
      .refine((secret) => !secret || signingKey(secret), 'must be whsec_ and 24 to 64 bytes in base64'),
    /** Path that the secret belongs to. */
    webhook: z
      .string()
      .regex(/^\/webhook(\/[\w-]{1,64})?$/)
      .optional(),
    old_post: z.object({ slug: z.string().min(1), title: z.string(), content_html: z.string() }).optional(),
    /** Name of a text file that the site serves, with its content: the key file of IndexNow. */
    text_file: z.object({ name: z.string().regex(/^[\w-]+\.txt$/), content: z.string() }).optional(),
    reset: z.boolean().optional(),
  })
  .refine((c) => c.mode !== 'redirect' || c.location, { path: ['location'], error: 'needed by mode redirect' })
  .refine((c) => c.mode !== 'slow' || c.delay_ms !== undefined, { path: ['delay_ms'], error: 'needed by mode slow' })

export type Control = z.infer<typeof Control>
export type Behaviour = Pick<Control, 'times' | 'retry_after' | 'location' | 'delay_ms' | 'error'> & {
  mode: Mode
  stores: boolean
}

export type BehaviourSwitch = {
  set: (control: Control & { mode: Mode }) => void
  /** Returns the behaviour for the next request, without counting it. */
  current: () => Behaviour
  /** Returns the behaviour for this request; counts down `times`, after which the receiver is `ok` again. */
  take: () => Behaviour
}

const OK: Behaviour = { mode: 'ok', stores: true }

/** Creates the switch that keeps the current behaviour. */
export const createBehaviourSwitch = (): BehaviourSwitch => {
  let behaviour = OK

  const set: BehaviourSwitch['set'] = ({ mode, times, retry_after, location, delay_ms, error, store }) => {
    behaviour = { mode, times, retry_after, location, delay_ms, error, stores: store ?? MODES[mode].stores }
  }

  const take = (): Behaviour => {
    const taken = behaviour
    if (taken.times !== undefined) behaviour = taken.times > 1 ? { ...taken, times: taken.times - 1 } : OK
    return taken
  }

  return { set, current: () => behaviour, take }
}

const text = (status: number, type: string, body: string | Buffer): Answer => ({
  status,
  headers: { 'content-type': type },
  body,
})

const FIREWALL_PAGE = `<!doctype html><html lang="en"><head><title>403 Forbidden</title></head><body><h1>Forbidden</h1>
<p>Your request was blocked by the site's firewall. Reference 8f1c22.</p></body></html>`

/** Returns the outcome of a request under a behaviour, given the answer that the work itself produced. */
export const outcomeUnder = (behaviour: Behaviour, worked: Answer): Outcome => {
  const answer = (value: Answer): Outcome => ({ kind: 'send', answer: value })
  const { retry_after: retryAfter, location = '/', error } = behaviour
  switch (behaviour.mode) {
    case 'ok':
    case 'slow':
      return answer(worked)
    case 'timeout':
      return { kind: 'hold' }
    case 'close_after_read':
    case 'close_before':
      return { kind: 'close' }
    case 'down':
      return answer(refusal(500, error ?? 'The blog is down.'))
    case 'unavailable':
      return answer(
        refusal(
          503,
          error ?? 'The blog is being maintained.',
          retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` },
        ),
      )
    case 'redirect':
      return answer({ status: 307, headers: { location }, body: '' })
    case 'success_false':
      return answer(refusal(200, error ?? 'The post was not accepted.'))
    case 'processed_zero':
      return answer(json(200, { success: true, processed: 0 }))
    case 'noise':
      return answer(text(200, 'application/octet-stream', randomBytes(NOISE_BYTES)))
    case 'empty':
      return answer({ status: 200, headers: {}, body: '' })
    case 'not_json':
      return answer(text(200, 'text/plain; charset=utf-8', 'OK'))
    case 'reject':
      return answer(refusal(401, error ?? 'The access token is not valid.'))
    case 'gone':
      return answer(refusal(410, error ?? 'This receiver has been taken away.'))
    case 'html_firewall':
      return answer(html(403, FIREWALL_PAGE))
  }
}
