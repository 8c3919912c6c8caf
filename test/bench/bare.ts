import { type Alone, runAlone } from './alone.ts'
import { bundled } from './program.ts'

/**
 * Runs a bare Hono Worker that answers each path of `bodies` with its body and calls no other service: the least cost
 * of a Worker.
 */
export const startBare = async (bodies: Record<string, string>): Promise<Alone> =>
  await runAlone({ code: await bundled('bare'), vars: { BODIES: JSON.stringify(bodies) } })
