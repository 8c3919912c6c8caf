import { Hono } from 'hono'
import { handleMailEvent } from '../accounts/people/mail-events.ts'
import { PATHS } from '../accounts/people/paths.ts'
import type { Deps } from '../platform/runtime/ctx.ts'

const MAX_EVENT_BYTES = 256 * 1024

/** Returns the endpoint for events of the mail provider. Browsers do not use it. */
export const mailHook = ({ deps, mailSecret }: { deps: Deps; mailSecret: string }) =>
  new Hono().post(PATHS.mailEvents, async (c) => {
    if (mailSecret === '') return c.json({ error: 'Events of mails are not set up.' }, 404)
    if (!(Number(c.req.header('content-length')) <= MAX_EVENT_BYTES)) return c.json({ error: 'Too large.' }, 413)
    const header = (name: string): string => c.req.header(name) ?? ''
    const { status, said } = await handleMailEvent(
      deps,
      mailSecret,
      { id: header('svix-id'), timestamp: header('svix-timestamp'), signature: header('svix-signature') },
      await c.req.text(),
    )
    return c.json(status === 200 ? { said } : { error: said }, status)
  })
