import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { latest } from '../support/latest.ts'
import { borrowTestStack, type TestStack } from '../support/stack.ts'
import { accessOf, openScene, type Scene, type StackAccess } from './scene.ts'

/** A stack for the tests of a file or group, and before each of them a new scene in it; their hooks are registered here. */
export const eachInItsScene = (
  settings?: Record<string, unknown>,
  options?: { timeScale: number },
): { access: StackAccess; scene: Scene } => {
  let stack: TestStack
  let access: StackAccess
  let scene: Scene
  beforeAll(async () => {
    stack = await borrowTestStack(options)
    access = accessOf(stack)
  })
  afterAll(() => stack.close())
  beforeEach(async () => {
    scene = await openScene(access, settings)
  })
  afterEach(() => scene.receiver.close())
  return { access: latest(() => access), scene: latest(() => scene) }
}
