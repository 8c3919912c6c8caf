import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { fillIn } from '../../scripts/docs/examples/names.ts'
import { EXAMPLES } from '../../scripts/docs/examples/requests.ts'
import { ZONE } from '../../src/insights/search/rules.ts'
import { OPERATIONS } from '../../src/operations.ts'
import { until } from '../reach/social/scene.ts'
import { onOneDay } from '../support/day.ts'
import { rowsOf } from '../support/keys.ts'
import { openScene, type Scene } from './scene.ts'
import { createShower } from './shown.ts'

const FILE = join(ROOT, 'scripts/docs/examples/answers.json')
const RECORD = process.env.RECORD_EXAMPLES === '1'

type Recorded = Record<string, { request: unknown; status: number; body: unknown }>

/**
 * Answers whose numbers depend on the calendar, on the digits of ids, or on how many other tests have made: an export of
 * an account and one of a project can have the same id. They must have the same kinds of values, not the same values.
 */
const OF_ONE_KIND = [
  'statements.uses',
  'reports.make',
  'reports.list',
  'search.standing',
  'search.performance',
  'search.history',
  'profile.analytics',
  'exports.get',
  'exports.create',
  'projects.export',
]

/** Returns a value in which the numbers, flags and dates of an earlier one replace its own. */
const asBefore = (value: unknown, before: unknown): unknown => {
  if (typeof value !== typeof before || value === null || before === null) return value
  if (Array.isArray(value)) return value.map((one, n) => asBefore(one, (before as unknown[])[n]))
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, asBefore(one, (before as Record<string, unknown>)[key])]),
    )
  return typeof value === 'string' && !/^\d{4}-\d\d-\d\d$/.test(value) ? value : before
}

const recorded = JSON.parse(readFileSync(FILE, 'utf8')) as Recorded
const seen: Recorded = {}
let scene: Scene
let show: ReturnType<typeof createShower>

// Answers have days of the service's, and of Google's.
onOneDay('UTC')
onOneDay(ZONE)
beforeAll(async () => {
  scene = await openScene(inject('stack'))
  show = createShower(scene.names, scene.addresses, new Date())
}, 300_000)

afterAll(async () => {
  await scene?.close()
  if (RECORD) writeFileSync(FILE, `${JSON.stringify(seen, null, 2)}\n`)
})

/** Returns the kind of an operation's subject: `articles.get` an article. */
const aboutOf = (id: string): string =>
  (id.split('.')[0] ?? '').replace(/ies$/, 'y').replace(/s$/, '').replace('event_', '')

const shownText = (text: string): unknown => {
  const lines = text.split('\n')
  return lines.map((line) => show(line, '')).join('\n')
}

/** True if there are drafts of posts about an article, which its publication has made after the answer. */
const hasDrafts = async ({ api, names }: Scene): Promise<true | undefined> => {
  const { body } = await api.get(`/social/posts?project_id=${String(names.project)}&status=draft`)
  return rowsOf(body, 'posts').some((post) => post.article_id === names.article_ready) || undefined
}

/** True if the onboarding that an example began has ended, and so has charged the account for its keywords. */
const isOnboarded = async ({ api, names }: Scene): Promise<true | undefined> => {
  const { body } = await api.get(`/projects/${String(names.project_onboarding)}`)
  return (body.setup as { onboarding: string }).onboarding !== 'running' || undefined
}

/** Waits for work that earlier examples began, for those that show its end. */
const BEGUN: Record<string, (scene: Scene) => Promise<true | undefined>> = {
  'account.get': isOnboarded,
  'social.posts': hasDrafts,
}

it.each(Object.entries(EXAMPLES))('%s answers as the reference shows', async (id, example) => {
  const operation = OPERATIONS.find((op) => op.id === id)
  if (!operation) throw new Error(`There is no operation ${id}.`)
  const hasEnded = BEGUN[id]
  if (hasEnded) await until(() => hasEnded(scene))
  const path = fillIn(example.path, scene.names) as string
  const body = fillIn(example.body, scene.names)
  const answer = await scene.api.call(operation.method, path, body === undefined ? {} : { body })
  expect(answer.status, answer.text).toBeLessThan(300)
  const shown = operation.produces ? shownText(answer.text) : show(answer.body, aboutOf(id))
  const given = { request: example, status: answer.status, body: shown }
  const before = recorded[id]
  // A new record changes only what is another now, so that a repeated one has the same bytes.
  seen[id] = OF_ONE_KIND.includes(id) && before ? (asBefore(given, before) as typeof given) : given
  if (RECORD) return
  expect(seen[id], 'where the answer is meant to be another now: npm run generate -- --record').toEqual(before)
})

it('every operation has an example', () => {
  const built = OPERATIONS.map((op) => op.id)
  expect(Object.keys(EXAMPLES).sort()).toEqual(built.sort())
})
