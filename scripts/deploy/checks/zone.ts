import type { Cloudflare } from '../cloudflare.ts'
import { CloudflareError } from '../cloudflare.ts'

/** Returns the result of a call, or undefined if the token may not make it. */
export const ifAllowed = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof CloudflareError && error.status === 403) return undefined
    throw error
  }
}

type Setting = { value: string }
type Bots = { ai_bots_protection?: string; fight_mode?: boolean }

/**
 * Returns warnings about settings of a zone that refuse agents before the service sees their calls.
 *
 * Browser Integrity Check is on by default, and answers clients such as Python's urllib with 403 `error code: 1010`. "Block AI
 * bots" refuses calls of assistants such as Claude. See https://developers.cloudflare.com/waf/tools/browser-integrity-check/ and
 * https://developers.cloudflare.com/bots/additional-configurations/block-ai-bots/ (read 28 November 2026).
 */
export const zoneWarnings = async (cf: Cloudflare, zone: { id: string; name: string }, host: string) => {
  const [check, bots] = await Promise.all([
    ifAllowed(cf<Setting>('GET', `/zones/${zone.id}/settings/browser_check`)),
    ifAllowed(cf<Bots>('GET', `/zones/${zone.id}/bot_management`)),
  ])
  const rule = `Rules, Configuration Rules, Create: if Hostname equals ${host}, then Browser Integrity Check off`
  const unseen = [...(check ? [] : ['Zone Settings Read']), ...(bots ? [] : ['Bot Management Read'])]
  return [
    ...(check?.value === 'on'
      ? [
          `Browser Integrity Check is on in ${zone.name} and refuses agents that are no browsers. In the dashboard: ${rule}.`,
        ]
      : []),
    ...(bots?.ai_bots_protection === 'block'
      ? [`"Block AI bots" is on in ${zone.name} and refuses assistants. Switch it off under Security, Bots.`]
      : []),
    ...(bots?.fight_mode
      ? [`Bot Fight Mode is on in ${zone.name} and refuses agents and QStash. Switch it off under Security, Bots.`]
      : []),
    ...(unseen.length > 0
      ? [
          `The token lacks ${unseen.join(' and ')}, so it was not checked whether ${zone.name} refuses agents. The proof after the deployment calls as four of them.`,
        ]
      : []),
  ]
}
