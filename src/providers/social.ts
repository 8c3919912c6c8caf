import type { Profiles } from '../profile/port.ts'
import type { Deps } from '../runtime/ctx.ts'
import type { SocialSettings } from '../runtime/env.ts'
import type { Social } from '../social/port.ts'
import { bluesky } from './bluesky/index.ts'
import { telegram } from './telegram/index.ts'
import { zernio } from './zernio/index.ts'
import { zernioProfile } from './zernio/profile.ts'

type Means = Pick<Deps, 'outbound' | 'now'>

/** Every way to the social networks; no provider where none is configured. */
export const socialWays = ({ outbound, now }: Means, { baseUrl, key, telegramUrl }: SocialSettings): Social => ({
  provider: key === '' ? undefined : zernio({ outbound, now, baseUrl, key }),
  direct: { bluesky: bluesky({ outbound, now }), telegram: telegram({ outbound, baseUrl: telegramUrl }) },
})

/** The business profiles of accounts that are connected at the provider. */
export const profilesOf =
  ({ outbound, now }: Means, { baseUrl, key }: SocialSettings): Profiles =>
  (accountId) =>
    key === '' ? undefined : zernioProfile({ outbound, now, baseUrl, key }, accountId)
