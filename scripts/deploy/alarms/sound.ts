import { anchorOf } from '../../../src/platform/lib/text.ts'
import { callHttp } from '../http.ts'
import type { Options } from '../options.ts'
import { readSettings } from '../settings.ts'
import { ALARMS, type Seen } from './list.ts'
import { look } from './look.ts'
import { writeStatusPage } from './status-page.ts'

/** Returns the active alarms, with what was measured. */
const activeIn = (seen: Seen) =>
  ALARMS.flatMap(({ name, bad, judge }) => {
    const told = judge === 'elsewhere' ? undefined : judge(seen)
    return told === undefined ? [] : [{ name, bad, told }]
  })

/** Returns a sentence for each alarm that rings, with a link to its runbook. */
export const ringing = (seen: Seen): string[] =>
  activeIn(seen).map(
    ({ name, bad, told }) => `${name}: ${told} (${bad}). See docs/operations/runbook.md#${anchorOf(name)}`,
  )

/** Returns the measurements that failed, so that a missing one does not look healthy. */
const unseen = ({ clockAgeS, lines, requests }: Seen): string[] => [
  ...(clockAgeS === undefined ? ['The clock was not checked: the token needs Account Analytics Read.'] : []),
  ...(lines === undefined ? ['The log was not checked: the token needs Workers Observability Write.'] : []),
  ...(requests === undefined ? ['Shares of requests were not checked: the token needs Account Analytics Read.'] : []),
]

/** Checks every alarm once, and reports ringing ones to ALARM_URL. Returns true if none rings. */
export const soundAlarms = async (
  options: Options,
  env: NodeJS.ProcessEnv,
  now: Date,
  say: (text: string) => void,
): Promise<boolean> => {
  const settings = readSettings(options.file, options.fileNamed, env)
  const seen = await look(options, settings, env, now)
  const found = ringing(seen)
  for (const line of unseen(seen)) say(line)
  const unwritten = await writeStatusPage(
    settings,
    activeIn(seen).map(({ bad }) => bad),
    now,
  )
  if (unwritten) say(unwritten)
  say(found.length > 0 ? found.join('\n') : 'No alarm.')
  if (found.length > 0 && settings.ALARM_URL)
    await callHttp('ALARM_URL', settings.ALARM_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: `${options.environment}\n${found.join('\n')}` }),
    })
  return found.length === 0
}
