import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { latest } from '../support/latest.ts'
import { borrowTestStack, type TestStack } from '../support/stack.ts'
import { type Means, meansOf, openScene, type Scene } from './scene.ts'

/** A stack for the tests of a file or group, and before each of them a new scene in it; their hooks are registered here. */
export const eachInItsScene = (
  { timeScale }: { timeScale: number },
  settings?: Record<string, unknown>,
): { means: Means; scene: Scene } => {
  let stack: TestStack
  let means: Means
  let scene: Scene
  beforeAll(async () => {
    stack = await borrowTestStack({ timeScale })
    means = meansOf(stack)
  })
  afterAll(() => stack.close())
  beforeEach(async () => {
    scene = await openScene(means, settings)
  })
  afterEach(() => scene.receiver.close())
  return { means: latest(() => means), scene: latest(() => scene) }
}
