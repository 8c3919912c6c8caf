import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import { engineEndpoints } from './engines.ts'
import { answerTo, envelope, fieldFault, SCHEMA, type Task, type TaskAnswer } from './envelope.ts'
import { keywordEndpoints } from './keywords.ts'
import { createModels, type Models } from './models.ts'
import { createTasks } from './tasks.ts'

/** Answers the one task of a live call. */
type Endpoint = (task: Task) => TaskAnswer

export type StandInDataForSeo = StandIn & {
  /** The tasks of every call in order, with their path. */
  asked: { path: string; task: Task }[]
  /** Replaces the models that a platform lists. Without `models`, it lists its first ones again. */
  offer: Models['offer']
  /** Sets the time until a task's answer can be fetched, ms. */
  tasksTake: (ms: number) => void
  /** Forgets the questions so far. */
  reset: () => void
}

/** Number of live tasks of an account that each platform accepts at once. */
const LIVE_AT_ONCE = 30

/** Pattern of the accepted passwords. All others get the provider's refusal. */
const GOOD_PASSWORD = /^sandbox-/

/** Password for which the provider is out of order. */
const AWAY = 'sandbox-away'

/** Returns the password of an accepted caller; undefined for all others. */
const passwordOf = (header: string | undefined): string | undefined => {
  const [, encoded = ''] = /^Basic (.+)$/.exec(header ?? '') ?? []
  const [login = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(':')
  return login !== '' && GOOD_PASSWORD.test(password) ? password : undefined
}

const userData = (): Answer =>
  json(
    200,
    envelope({ code: 20_000, message: 'Ok.', result: [{ login: 'sandbox', money: { total: 50, balance: 42.5 } }] }),
  )

/** Starts a stand-in of DataForSEO's API v3 on 127.0.0.1. A keyword that begins with `err:` and a code gets that code. */
export const startDataForSeo = async (port = 0): Promise<StandInDataForSeo> => {
  const asked: StandInDataForSeo['asked'] = []
  const models = createModels()
  const endpoints: Readonly<Record<string, Endpoint>> = { ...keywordEndpoints, ...engineEndpoints(models) }
  const tasks = createTasks(
    endpoints,
    (platform, task) => models.find(platform, String(task.model_name))?.task_post_supported ?? true,
    (path, task) => asked.push({ path, task }),
  )
  const answer = (request: StandInRequest): Answer => {
    const { method, path, headers, body } = request
    const password = passwordOf(headers.authorization)
    if (password === AWAY) return json(500, envelope({ outer: 50_000, message: 'Internal Error.' }))
    if (password === undefined)
      return json(401, envelope({ outer: 40_100, message: 'You are not Authorized to Access this Resource.' }), {
        'www-authenticate': 'Basic realm="API"',
      })
    if (method === 'GET' && path === '/v3/appendix/user_data') return userData()
    const listed =
      method === 'GET'
        ? models.listed(/^\/v3\/ai_optimization\/(\w+)\/llm_responses\/models$/.exec(path)?.[1] ?? '')
        : undefined
    if (listed) return json(200, envelope({ code: 20_000, message: 'Ok.', result: [...listed], path }))
    const ofTask = tasks.answer(request)
    if (ofTask) return ofTask
    const call = path.replace(/^\/v3\//, '').replace(/\/live(\/advanced)?$/, '')
    const endpoint = method === 'POST' ? endpoints[call] : undefined
    if (!endpoint) return json(404, envelope({ outer: 40_402, message: 'Invalid Path.' }))
    if (!Array.isArray(body) || body.length !== 1)
      return json(200, envelope({ outer: 40_000, message: 'You can set only one task at a time.' }))
    const task = body[0] as Task
    asked.push({ path, task })
    return answerTo(task, (of) => fieldFault(path, of) ?? endpoint(of), path)
  }
  const standIn = await startStandIn({
    port,
    answer,
    posts: () => asked,
    published: {
      schema: SCHEMA,
      refused: ({ kind, path }) =>
        kind === 'operation'
          ? json(404, envelope({ outer: 40_402, message: 'Invalid Path.' }))
          : json(200, envelope({ outer: 40_503, message: `POST Data Is Invalid. ${path.join('.')}`.trim() })),
    },
    atOnce: {
      most: LIVE_AT_ONCE,
      groupOf: ({ path }) => /\/ai_optimization\/(\w+)\/llm_responses\/live$/.exec(path)?.[1],
      refused: json(200, envelope({ outer: 40_209, message: 'You can send up to 30 simultaneous requests.' })),
    },
  })
  return { ...standIn, asked, offer: models.offer, tasksTake: tasks.take, reset: () => asked.splice(0) }
}
