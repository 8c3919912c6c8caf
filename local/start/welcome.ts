import { join } from 'node:path'
import type { Stack } from '../stack.ts'
import { OWNER } from './database.ts'

/** Returns the contents of service.json for a running service, for scripts. */
export const describe = (stack: Stack, apiKey: string, dir: string, sample: number | undefined) => ({
  base_url: `${stack.url}/api/v1`,
  api_key: apiKey,
  ...(sample === undefined ? {} : { sample_project_id: sample }),
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

/** Returns calls to try: five on the sample project if there is one. */
const callsOf = ({ base_url: base, api_key: key, sample_project_id: sample }: ReturnType<typeof describe>): string => {
  const curl = (path: string) => `  curl -H "Authorization: Bearer ${key}" "${base}${path}"`
  if (sample === undefined) return `Try it:\n\n${curl('/projects')}`
  const calls = [
    `/articles?project_id=${sample}`,
    `/search-console?project_id=${sample}&compare=true&limit=5`,
    `/search-console/history?project_id=${sample}&days=30`,
    `/suggestions?project_id=${sample}`,
    `/suggestions/effects?project_id=${sample}`,
  ]
  return `Project ${sample} is a sample: a blog about garden sheds with articles and made-up search data. Try it:\n\n${calls.map(curl).join('\n')}`
}

/** Returns the text that is printed when the service runs. */
export const welcome = (s: ReturnType<typeof describe>, seconds: string): string => `
Galley is running (${seconds} s).

  Base URL   ${s.base_url}
  API key    ${s.api_key}
  Receiver   ${s.receiver_url}   (a sample blog that articles are delivered to)
  Pages      ${s.public_url}/p   (sign up as ${OWNER} to see ${s.sample_project_id === undefined ? 'the account of this key' : 'the sample project'}; the mail to confirm it is at Mails)
  Documents  ${s.public_url}/docs   (every call, every error, a quickstart)
  Mails      ${s.mail_url}   (what the service would mail)
  Logs       ${s.workers_log}

Retries wait ${s.time_scale} times shorter than in production. The clock that publishes planned articles ticks every minute.

${callsOf(s)}

See an article published from end to end:  npm run demo
Stop with Ctrl-C; data stays in place until you start with --fresh.
`
