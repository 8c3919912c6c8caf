import { afterAll, beforeAll } from 'vitest'
import { accessOf, type StackAccess } from '../publishing/scene.ts'
import { latest } from '../support/latest.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'
import { type Steps, startSteps } from './steps.ts'

const PATIENCE_MS = 120_000

/** Returns a stack whose Workers can be stopped at a step and killed there, for one test file. Registers its hooks. */
export const steppedStack = (timeScale: number): { steps: Steps; stack: TestStack; access: StackAccess } => {
  let steps: Steps
  let stack: TestStack
  beforeAll(async () => {
    steps = await startSteps()
    stack = await startTestStack({ timeScale, vars: { STEP_HOOK_URL: steps.url } })
  }, PATIENCE_MS)
  afterAll(async () => {
    // First, because Workers that it holds at a step would not end.
    await steps.close()
    await stack.close()
  })
  return { steps: latest(() => steps), stack: latest(() => stack), access: latest(() => accessOf(stack)) }
}
