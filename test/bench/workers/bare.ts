import { Hono } from 'hono'

/** Bare Hono: answers each path of BODIES with its body. */
const app = new Hono<{ Bindings: { BODIES: string } }>()

let bodies: Record<string, string> | undefined
app.get('*', (c) => {
  bodies ??= JSON.parse(c.env.BODIES) as Record<string, string>
  return c.body(bodies[c.req.path] ?? '', 200, { 'Content-Type': 'application/json' })
})

export default app
