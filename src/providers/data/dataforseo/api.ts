import * as z from 'zod/mini'
import type { ProviderFailure } from '../../../accounts/provider-keys/port.ts'
import type { Market } from '../../../insights/keywords/market.ts'
import { base64 } from '../../../platform/lib/crypto.ts'
import { foreignJson } from '../../../platform/lib/foreign-answers.ts'
import { clip, storableText } from '../../../platform/lib/text.ts'
import { type Outbound, unsentReason } from '../../../platform/runtime/outbound.ts'

/**
 * Countries of DataForSEO Labs, from its list of locations and languages.
 *
 * Each has its ISO code, the number of its location code (2000 plus the country's ISO number) and its languages. `*` marks the fullest list
 * of a language.
 */
const PLACES =
  'AL 8 sq*|DZ 12 ar fr|AO 24 pt|AR 32 es|AM 51 hy*|AU 36 en|AT 40 de|AZ 31 az*|BH 48 ar|BD 50 bn*|BE 56 nl fr de|BO 68 es|BA 70 bs*|BR 76 pt*|BG 100 bg*|BF 854 fr|KH 116 en|CM 120 fr|CA 124 en fr|CL 152 es|CO 170 es|CR 188 es|CI 384 fr|HR 191 hr*|CY 196 en el|CZ 203 cs*|DK 208 da*|EC 218 es|EG 818 ar* en|SV 222 es|EE 233 et*|FI 246 fi*|FR 250 fr*|DE 276 de*|GH 288 en|GR 300 en el*|GT 320 es|HK 344 zh-TW en|HU 348 hu*|IN 356 en hi*|ID 360 en id*|IE 372 en|IL 376 ar he*|IT 380 it*|JP 392 ja*|JO 400 ar|KZ 398 ru|KE 404 en|LV 428 lv*|LT 440 lt*|MY 458 en ms*|MT 470 en|MX 484 es|MD 498 ro|MC 492 fr|MA 504 ar fr|MM 104 en|NL 528 nl*|NZ 554 en|NI 558 es|NG 566 en|MK 807 mk*|NO 578 nb*|PK 586 en ur*|PA 591 es|PY 600 es|PE 604 es|PH 608 en tl*|PL 616 pl*|PT 620 pt|RO 642 ro*|SA 682 ar|SN 686 fr|RS 688 sr*|SG 702 zh-CN* en|SK 703 sk*|SI 705 sl*|ZA 710 en|KR 410 ko*|ES 724 es*|LK 144 en|SE 752 sv*|CH 756 fr de it|TW 158 zh-TW*|TH 764 th*|TN 788 ar|TR 792 tr*|UA 804 ru* uk*|AE 784 ar en|GB 826 en|US 840 en* es|UY 858 es|VE 862 es|VN 704 en vi*'

type Place = { country: string; location: number; languages: readonly string[]; fullest: readonly string[] }

const parsed = (line: string): Place => {
  const [country = '', number = '', ...languages] = line.split(' ')
  return {
    country,
    location: 2_000 + Number(number),
    languages: languages.map((language) => language.replace('*', '')),
    fullest: languages.filter((language) => language.endsWith('*')).map((language) => language.slice(0, -1)),
  }
}

let places: Place[] | undefined

const allPlaces = (): Place[] => {
  places ??= PLACES.split('|').map(parsed)
  return places
}

/** True if Labs has keywords for a location code in a language. */
export const hasPlace = (location: unknown, language: unknown): boolean =>
  allPlaces().some((place) => place.location === location && place.languages.includes(String(language)))

/**
 * Returns the place to query Labs for a market: the country if it has the language, else the language's fullest country.
 *
 * Returns undefined for languages that Labs does not have.
 */
export const placeFor = ({ country, language }: Market): { country: string; location: number } | undefined =>
  allPlaces().find((place) => place.country === country && place.languages.includes(language)) ??
  allPlaces().find((place) => place.fullest.includes(language))

/** Address of DataForSEO, and the credentials of the account. */
export type DataForSeoAccount = { baseUrl: string; login: string; password: string }
export type DataForSeoDeps = { outbound: Outbound; now: () => Date }

const NAME = 'DataForSEO'
const MAX_BYTES = 4 * 1024 * 1024
const LEAST_MS = 1_000
/** Limits are per minute and come without a header, so calls wait for the next minute. */
const NEXT_MINUTE_S = 60

const Envelope = z.looseObject({
  status_code: z.number(),
  status_message: z.nullish(z.string()),
  cost: z.nullish(z.number()),
  tasks: z.nullish(
    z.array(
      z.looseObject({
        id: z.nullish(z.string()),
        status_code: z.number(),
        status_message: z.nullish(z.string()),
        cost: z.nullish(z.number()),
        data: z.catch(z.nullish(z.looseObject({ tag: z.nullish(z.string()) })), null),
        result: z.nullish(z.array(z.unknown())),
      }),
    ),
  ),
})

/** Meaning of DataForSEO's codes. `kindOf` judges other codes by their range. */
const CODES: Record<number, ProviderFailure['code']> = {
  40100: 'auth',
  40101: 'transient',
  40103: 'transient',
  40104: 'auth',
  40200: 'billing',
  40201: 'permanent',
  40202: 'rate_limited',
  40203: 'billing',
  40204: 'billing',
  40205: 'permanent',
  40206: 'permanent',
  40207: 'auth',
  40209: 'rate_limited',
  40210: 'billing',
  40601: 'transient',
  40602: 'transient',
  50100: 'permanent',
  50304: 'permanent',
}

const NO_RESULTS = 40102

const kindOf = (code: number): ProviderFailure['code'] =>
  CODES[code] ?? (code >= 50_000 ? 'transient' : code >= 40_500 || code < 40_100 ? 'invalid_input' : 'permanent')

/** Returns DataForSEO's words for use in our sentence: on one line, at most 200 characters. */
const quotable = (text: string | null | undefined): string =>
  clip(storableText((text ?? '').replace(/\s+/g, ' ').trim()), 200)

/**
 * A failure. `isWhole`: the whole call failed, so the state of the requested task is unknown.
 *
 * `isLost`: it is unknown if the provider carried out the call, and so if it charges for it.
 */
export type DataForSeoFailure = ProviderFailure & { isWhole?: true; isLost?: true }

const failed = (code: number, message: string | null | undefined): DataForSeoFailure => {
  const kind = kindOf(code)
  const words = quotable(message)
  return {
    kind: 'failed',
    code: kind,
    reason: `${NAME} answered ${code}${words === '' ? '.' : `: ${words}`}`,
    status: code,
    ...(kind === 'rate_limited' ? { retryAfterS: NEXT_MINUTE_S } : {}),
  }
}

const unsent = (reason: string): DataForSeoFailure => ({ kind: 'failed', code: 'transient', reason, isWhole: true })

const lost = (reason: string, status?: number): DataForSeoFailure => ({
  ...unsent(reason),
  isLost: true,
  ...(status === undefined ? {} : { status }),
})

/** Returns DataForSEO's code for the HTTP status of an answer without a readable envelope; 0 for other statuses. */
const codeOfStatus = (status: number): number =>
  status === 401 ? 40_100 : status === 402 ? 40_200 : status === 404 ? 40_400 : 0

type Whole = { kind: 'whole'; tasks: NonNullable<z.infer<typeof Envelope>['tasks']>; costUsd: number }

const wholeOf = (status: number, body: string): Whole | DataForSeoFailure => {
  const read = Envelope.safeParse(foreignJson(body))
  if (!read.success) {
    const code = codeOfStatus(status)
    return code === 0
      ? lost(`${NAME} answered HTTP ${status} with something that is not its API.`, status)
      : { ...failed(code, ''), isWhole: true }
  }
  const { status_code: outer, status_message: message, cost, tasks } = read.data
  if (outer !== 20_000) return { ...failed(outer, message), isWhole: true }
  return { kind: 'whole', tasks: tasks ?? [], costUsd: cost ?? 0 }
}

type Call = { path: string; tasks?: readonly Record<string, unknown>[]; until: number }

/** Sends one call (without tasks: a GET) and reads its envelope. The HTTP status counts only if there is no readable envelope. */
const send = async (
  deps: DataForSeoDeps,
  { baseUrl, login, password }: DataForSeoAccount,
  { path, tasks, until }: Call,
): Promise<Whole | DataForSeoFailure> => {
  const timeoutMs = until - deps.now().getTime()
  if (timeoutMs < LEAST_MS) return unsent(`${NAME} did not answer in time.`)
  const answer = await deps.outbound({
    url: `${baseUrl}${path}`,
    method: tasks ? 'POST' : 'GET',
    headers: {
      Accept: 'application/json',
      Authorization: `Basic ${base64(new TextEncoder().encode(`${login}:${password}`))}`,
      ...(tasks ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(tasks ? { body: JSON.stringify(tasks) } : {}),
    timeoutMs,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind === 'answered') return wholeOf(answer.status, answer.body)
  if (answer.kind === 'unsent') return unsent(unsentReason(answer))
  if (answer.kind === 'forbidden')
    return { ...unsent(`The address of ${NAME} is not a public one.`), code: 'permanent' }
  return lost(answer.reason === 'timeout' ? `${NAME} did not answer in time.` : `The connection to ${NAME} failed.`)
}

type Answered = { kind: 'got'; result: unknown[]; costUsd: number }

/**
 * Makes one call with one task; without a task, a GET. See https://docs.dataforseo.com/v3.
 *
 * Returns the task's `result`, empty if there is nothing to find, and its cost in US dollars.
 *
 * Both the code of the answer and the code of its task must be a success.
 */
export const callDataForSeo = async (
  deps: DataForSeoDeps,
  account: DataForSeoAccount,
  { path, task: asked, until }: { path: string; task?: Record<string, unknown>; until: number },
): Promise<Answered | DataForSeoFailure> => {
  const whole = await send(deps, account, { path, until, ...(asked ? { tasks: [asked] } : {}) })
  if (whole.kind === 'failed') return whole
  const { tasks, costUsd } = whole
  // `tasks_error` is 0 even if a task failed, so the code of the task is checked too.
  const [task] = tasks
  if (!task) return lost(`${NAME} answered without a task.`)
  if (task.status_code === NO_RESULTS) return { kind: 'got', result: [], costUsd }
  if (task.status_code !== 20_000)
    return { ...failed(task.status_code, task.status_message), ...(costUsd > 0 ? { costUsd } : {}) }
  return { kind: 'got', result: task.result ?? [], costUsd }
}

/** Result of posting a task, with its charge. `unreadable`: the task may have been accepted, but its id is unknown. */
export type PostedTask = { kind: 'taken'; id: string; costUsd: number } | { kind: 'unreadable' } | DataForSeoFailure

const TASK_CREATED = 20_100

/** Posts tasks that each have a tag. Returns the result of each, in the order of the tasks. */
export const postToDataForSeo = async (
  deps: DataForSeoDeps,
  account: DataForSeoAccount,
  { path, tasks: asked, until }: { path: string; tasks: readonly { tag: string }[]; until: number },
): Promise<PostedTask[] | DataForSeoFailure> => {
  const whole = await send(deps, account, { path, tasks: asked, until })
  if (whole.kind === 'failed') return whole
  return asked.map(({ tag }) => {
    const task = whole.tasks.find(({ data }) => data?.tag === tag)
    if (!task || task.status_code === 20_000) return { kind: 'unreadable' }
    if (task.status_code !== TASK_CREATED) return failed(task.status_code, task.status_message)
    return task.id ? { kind: 'taken', id: task.id, costUsd: task.cost ?? 0 } : { kind: 'unreadable' }
  })
}

const UserData = z.looseObject({ money: z.looseObject({ balance: z.number() }) })

/** Returns the balance of an account, US dollars; undefined if the answer does not have it. */
export const balanceOf = (result: readonly unknown[]): number | undefined => {
  const read = UserData.safeParse(result[0])
  return read.success ? read.data.money.balance : undefined
}
