import type { Deps } from '../runtime/ctx.ts'
import type { SocialSettings } from '../runtime/env.ts'
import type { Social } from '../social/port.ts'
import { zernio } from './zernio/index.ts'

/** Every way to the social networks; no provider where none is configured. */
export const socialWays = (
  { outbound, now }: Pick<Deps, 'outbound' | 'now'>,
  { baseUrl, key }: SocialSettings,
): Social => ({
  provider: key === '' ? undefined : zernio({ outbound, now, baseUrl, key }),
  direct: {},
})
