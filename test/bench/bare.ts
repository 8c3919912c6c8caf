import { type Alone, runAlone } from './alone.ts'
import { bundled } from './program.ts'

const source = (bodies: Record<string, string>): string => `
import { Hono } from 'hono'
const bodies = ${JSON.stringify(bodies)}
const app = new Hono()
for (const [path, body] of Object.entries(bodies))
  app.get(path, (c) => c.body(body, 200, { 'Content-Type': 'application/json' }))
export default app`

/**
 * Runs a bare Hono Worker that answers each path of `bodies` with its body and calls no other service: the least cost
 * of a Worker.
 */
export const startBare = async (bodies: Record<string, string>): Promise<Alone> => {
  return await runAlone({ code: await bundled(source(bodies)) })
}
