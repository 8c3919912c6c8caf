import { matching, readEnv } from './read-env.ts'

/** Names of the settings with which the operator of the service names itself. */
export const LEGAL_SETTINGS = ['PRIVACY_URL', 'TERMS_URL', 'SUPPORT_EMAIL', 'STATUS_URL'] as const

const ADDRESS = /^$|^https?:\/\/[^\s"<>]+$/

const Legal = () => ({
  PRIVACY_URL: matching(ADDRESS, ''),
  TERMS_URL: matching(ADDRESS, ''),
  STATUS_URL: matching(ADDRESS, ''),
  SUPPORT_EMAIL: matching(/^$|^[^\s@"<>]+@[^\s@"<>]+\.[^\s@"<>]+$/, ''),
})

/** Reads the addresses of the operator: privacy policy, terms, status page and support. Each is empty if it is not set. */
export const parseLegal = (env: unknown) => {
  const l = readEnv(Legal(), env)
  return {
    privacyUrl: l.PRIVACY_URL,
    termsUrl: l.TERMS_URL,
    statusUrl: l.STATUS_URL,
    supportEmail: l.SUPPORT_EMAIL,
  }
}

/** Addresses of the operator of the service. */
export type Legal = ReturnType<typeof parseLegal>
