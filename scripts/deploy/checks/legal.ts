import { LEGAL_SETTINGS, parseLegal } from '../../../src/platform/runtime/legal.ts'
import { DeployFault } from '../fault.ts'
import type { Settings } from '../settings.ts'
import type { Findings } from './findings.ts'

/**
 * Warns of each address of the operator that is not set. Google's verification, directories of connectors and Stripe ask
 * for them. Throws a DeployFault if one is malformed.
 */
export const legalFindings = (settings: Settings): Findings => {
  try {
    parseLegal(settings)
  } catch (error) {
    throw new DeployFault((error as Error).message, 'Addresses begin with https://; SUPPORT_EMAIL is one mail address.')
  }
  const missing = LEGAL_SETTINGS.filter((name) => !settings[name])
  if (missing.length === 0) return { facts: ['Operator    privacy, terms, support and status are named'], warnings: [] }
  return {
    facts: [],
    warnings: [`people do not find ${missing.join(', ')}: pages, the API description and security.txt lack them`],
  }
}
