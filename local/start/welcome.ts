import { join } from 'node:path'
import type { Stack } from '../stack.ts'

/** What service.json says of a running service, for scripts. */
export const describe = (stack: Stack, apiKey: string, dir: string) => ({
  base_url: `${stack.url}/api/v1`,
  api_key: apiKey,
  receiver_url: stack.receiver.url,
  receiver_webhook_url: `${stack.receiver.url}/webhook`,
  receiver_token: stack.receiverToken,
  mail_url: stack.mail.url,
  public_url: stack.url,
  neon_url: stack.neon.url,
  connection_string: stack.connectionString,
  database: stack.neon.backend,
  redis_url: stack.redis.url,
  qstash_url: stack.qstash.url,
  time_scale: stack.timeScale,
  workers_log: join(dir, 'workers.log'),
  pid: process.pid,
})

/** What is printed once the service runs. */
export const welcome = (s: ReturnType<typeof describe>, seconds: string): string => `
Galley is running (${seconds} s).

  Base URL   ${s.base_url}
  API key    ${s.api_key}
  Receiver   ${s.receiver_url}   (a sample blog that articles are delivered to)
  Pages      ${s.public_url}/settings   (sign up there)
  Mails      ${s.mail_url}   (what the service would mail)
  Logs       ${s.workers_log}

Retries wait ${s.time_scale} times shorter than in production. The clock that publishes planned articles ticks every minute.

Try it:

  curl -H "Authorization: Bearer ${s.api_key}" ${s.base_url}/projects

See an article published from end to end:  npm run demo
Stop with Ctrl-C; data stays in place until you start with --fresh.
`
