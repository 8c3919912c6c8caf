import { randomUUID } from 'node:crypto'
import { type Answer, json } from '../receiver/answers.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import {
  becomesOf,
  entryOf,
  envelope,
  envelopeOf,
  fieldFault,
  invalid,
  type Task,
  type TaskAnswer,
} from './envelope.ts'

const MOST_TASKS = 100
/** Price of each task of a model, paid in advance, US dollars. */
const ADVANCE_USD = 0.01
/** Price of each task of a page of results in the queue of normal priority (https://dataforseo.com/pricing, 2026-11-25). */
const PAGE_USD = 0.0012

type Kept = { call: string; task: Task; answer: TaskAnswer; doneAt: number; isFetched: boolean }

/** True for a code that posting a task returns. All others appear when its answer is fetched. */
const isToldAtOnce = (code: number): boolean => code >= 40_200 && code < 40_600

/** Tasks that are posted now and fetched later: `task_post`, `task_get/ID` and `tasks_ready`. */
export const createTasks = (
  endpoints: Readonly<Record<string, (task: Task) => TaskAnswer>>,
  isPostable: (platform: string, task: Task) => boolean,
  asked: (path: string, task: Task) => void,
) => {
  const kept = new Map<string, Kept>()
  let takesMs = 0

  const post = (path: string, call: string, body: unknown): Answer => {
    const [kind, platform = ''] = call.split('/')
    const cost = kind === 'serp' ? PAGE_USD : ADVANCE_USD
    const endpoint = endpoints[call]
    if (!endpoint) return json(404, envelope({ outer: 40_402, message: 'Invalid Path.' }))
    const tasks = body as Task[]
    if (tasks.length > MOST_TASKS)
      return json(200, envelope({ outer: 40_006, message: 'You can set up to 100 tasks at a time.' }))
    const answers = tasks.map((task) => {
      asked(path, task)
      const answer = becomesOf(task, (of) =>
        isPostable(platform, of) ? (fieldFault(path, of) ?? endpoint(of)) : invalid('model_name'),
      )
      return { task, answer }
    })
    for (const { answer } of answers)
      if (answer.outer !== undefined)
        return json(answer.outer, envelope({ outer: answer.code, message: answer.message }))
    const entries = answers.map(({ task, answer }) => {
      if (isToldAtOnce(answer.code)) return entryOf({ ...answer, path, data: task })
      const id = randomUUID()
      kept.set(id, { call, task, answer, doneAt: Date.now() + takesMs, isFetched: false })
      return entryOf({ id, code: 20_100, message: 'Task Created.', cost, path, data: task })
    })
    return json(200, envelopeOf({ entries }))
  }

  const get = (path: string, call: string, id: string): Answer => {
    const found = kept.get(id)
    if (found?.call !== call) return json(200, envelope({ code: 40_401, message: 'Task Not Found.', path }))
    if (found.doneAt > Date.now())
      return json(200, envelope({ id, code: 40_602, message: 'Task In Queue.', path, data: found.task }))
    found.isFetched = true
    return json(200, envelope({ id, ...found.answer, cost: 0, path, data: found.task }))
  }

  const ready = (path: string, call: string): Answer => {
    const [kind, se, type = ''] = call.split('/')
    const get = kind === 'serp' ? 'task_get/advanced' : 'task_get'
    const result = [...kept].flatMap(([id, { isFetched, doneAt, task, ...one }]) =>
      one.call === call && !isFetched && doneAt <= Date.now()
        ? [
            {
              id,
              se,
              se_type: type,
              date_posted: '2026-11-01',
              tag: task.tag ?? null,
              [kind === 'serp' ? 'endpoint_advanced' : 'endpoint']: `/v3/${call}/${get}/${id}`,
            },
          ]
        : [],
    )
    return json(200, envelope({ code: 20_000, message: 'Ok.', result, path }))
  }

  return {
    /** Sets the time that each task takes from now on, ms. */
    take: (ms: number): void => {
      takesMs = ms
    },
    /** Answers a call for tasks; undefined for other calls. */
    answer: ({ method, path, body }: StandInRequest): Answer | undefined => {
      const [, call = '', verb, id = ''] =
        /^\/v3\/(ai_optimization\/\w+\/llm_responses|serp\/google\/\w+)\/(task_post|task_get|tasks_ready)(?:(?:\/advanced)?\/([\w-]+))?$/.exec(
          path,
        ) ?? []
      // The provider has no tasks for Perplexity.
      if (verb === undefined || call.includes('/perplexity/')) return undefined
      if (verb === 'task_post') return method === 'POST' ? post(path, call, body) : undefined
      return verb === 'task_get' ? get(path, call, id) : ready(path, call)
    },
  }
}
