import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Ctx } from '../../src/platform/runtime/ctx.ts'
import { publishArticle } from '../../src/publishing/send/publish.ts'
import type { PublishOutcome, TargetFactory } from '../../src/publishing/target/publish-target.ts'
import { latest } from '../support/latest.ts'
import { borrowTestStack, type TestStack } from '../support/stack.ts'
import { accessOf, deliveriesOf, openScene, type Scene, type StackAccess, write } from './scene.ts'
import { systemFor } from './system.ts'
import { loseMessages } from './waits.ts'

export const ACCEPTED = {
  kind: 'accepted',
  remoteId: 'post-1',
  url: 'https://cms.example/post',
} as const satisfies PublishOutcome

/**
 * Returns a stack of its own, which nobody's cron sweeps, with a new scene and context for each test. Making a scene wakes the queue
 * behind its answer, so that takes nothing up either: the test runs the jobs by hand.
 */
export const eachRunByHand = (): { access: StackAccess; scene: Scene; ctx: Ctx } => {
  let stack: TestStack
  let access: StackAccess
  let scene: Scene
  let ctx: Ctx
  const scenes: Scene[] = []
  beforeAll(async () => {
    stack = await borrowTestStack()
    access = accessOf(stack)
    await loseMessages(access)
  })
  beforeEach(async () => {
    scene = await openScene(access)
    scenes.push(scene)
    ctx = systemFor(access, scene.api.accountId)
  })
  afterAll(async () => {
    await Promise.all(scenes.map(({ receiver }) => receiver.close()))
    await stack.close()
  })
  return { access: latest(() => access), scene: latest(() => scene), ctx: latest(() => ctx) }
}

/** Returns an article that its target took while the caller waited: the caller's patience, which is a wait, does not end first. */
export const publishedIn = async (scene: Scene, ctx: Ctx, targets: TargetFactory): Promise<number> => {
  const id = await write(scene)
  const { promise: never } = Promise.withResolvers<void>()
  await publishArticle({ ...ctx, wait: () => never }, targets, id)
  return id
}

/** Returns the id of an article's newest delivery. */
export const lastDelivery = async (scene: Scene, id: number): Promise<number> =>
  (await deliveriesOf(scene, id)).at(-1)?.id ?? 0

/** Counts the account's audit entries of an action. */
export const auditedOf = async (scene: Scene, action: string): Promise<number> => {
  const rows = await scene.rows(
    sql`select id from audit_log where account_id = ${scene.api.accountId}::int and action = ${action}`,
  )
  return rows.length
}

/** Stores a version of the article to put back, as an update of its post would have kept it. */
export const keepAVersion = (scene: Scene, id: number) =>
  scene.rows(sql`insert into remote_versions (article_id, integration_id, version, taken_at)
    select ${id}::int, integration_id, '{}'::jsonb, now() from deliveries where article_id = ${id}::int limit 1`)
