import { NETWORKS, networkOf } from '../../reach/social/rules.ts'
import type { Notice } from '../notice.ts'

/** Reasons by error code of the social provider. Its own text is not shown, because anyone can put text into a link. */
const REASONS: Readonly<Record<string, string>> = {
  oauth_denied: 'the permission was not given there.',
  connection_cancelled: 'it was broken off there.',
  missing_google_permissions: 'a permission was not ticked. Connect again, and allow all that is asked for.',
  missing_tiktok_permissions: 'a permission was not ticked. Connect again, and allow all that is asked for.',
  personal_account_not_supported: 'it takes business and creator accounts only.',
  platform_requires_destination: 'a page or channel to post to has to be chosen there.',
  reconnect_account_mismatch: 'another account was signed in there than the one to be connected again.',
  no_facebook_pages: 'the account there manages no page.',
  no_google_locations: 'the account there manages no location.',
  google_permission_denied: 'the account there may not manage the location.',
  no_snapchat_public_profiles: 'the account there has no public profile.',
  discord_no_guild: 'the account there manages no server.',
}

/** Error codes for limits of this service's own account at the provider. */
const LIMITS = new Set(['account_limit_exceeded', 'profile_limit_exceeded', 'payment_required', 'byok_config_error'])

/**
 * Returns the notice for a person who returns from a network without a connected account; undefined without an error.
 *
 * The social provider appends `error` and `platform` to the address. It may add new codes at any time.
 */
export const notConnected = (error: string | undefined, platform = ''): Notice | undefined => {
  if (error === undefined) return undefined
  const network = networkOf(platform)
  const begin = `${network ? NETWORKS[network].name : 'The account'} was not connected`
  if (LIMITS.has(error))
    return {
      tone: 'bad',
      text: `${begin}: this service has reached a limit at its social provider. Its operator has to fix that.`,
    }
  const code = /^\w{1,60}$/.test(error) ? ` (${error})` : ''
  const reason = Object.hasOwn(REASONS, error)
    ? `: ${REASONS[error]}`
    : `${code}. Try again, and tell the operator of this service if it stays.`
  return { tone: 'bad', text: `${begin}${reason}` }
}
