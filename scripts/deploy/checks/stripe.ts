import { createOutbound, userAgentOf } from '../../../src/platform/runtime/outbound.ts'
import { parseStripeSettings } from '../../../src/platform/runtime/provider-env.ts'
import { checkStripe } from '../../../src/providers/checks.ts'
import type { Settings } from '../settings.ts'
import type { Findings } from './findings.ts'

/**
 * Checks Stripe's prices, portal and webhook, if accounts pay. Faults are warnings, because only paying needs Stripe.
 */
export const stripeFindings = async (
  settings: Settings,
  publicUrl: string,
  env: NodeJS.ProcessEnv,
): Promise<Findings> => {
  if (!settings.STRIPE_SECRET_KEY) return { facts: [], warnings: [] }
  const { STRIPE_API_URL: url } = env
  const outbound = createOutbound({
    allowLoopback: true,
    dnsQueryUrl: '',
    userAgent: userAgentOf({ serviceName: 'Galley', publicUrl }),
    log: () => {},
    now: () => new Date(),
  })
  const stripe = parseStripeSettings({ ...settings, ...(url ? { STRIPE_API_URL: url } : {}) })
  const { isOk, found, fix } = await checkStripe(outbound, stripe, publicUrl)()
  return isOk
    ? { facts: [`Stripe      ${found}`], warnings: [] }
    : { facts: [], warnings: [`Stripe: ${found}. ${fix}`] }
}
