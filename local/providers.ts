import { startAhrefs } from './ahrefs/server.ts'
import { type StandInDataForSeo, startDataForSeo } from './dataforseo/server.ts'
import type { StandIn } from './stand-in.ts'

export type Providers = {
  dataForSeo: StandInDataForSeo
  ahrefs: StandIn
  /** Settings that lead the Workers to them. */
  vars: Record<string, string>
  close: () => Promise<void>
}

/** Settings of the service's own accounts at providers, if they are set. */
export type ProviderAccounts = Partial<
  Record<
    | 'DATAFORSEO_LOGIN'
    | 'DATAFORSEO_PASSWORD'
    | 'GOOGLE_CLIENT_ID'
    | 'GOOGLE_CLIENT_SECRET'
    | 'CROWDWORK_API_KEY'
    | 'SOCIAL_API_KEY',
    string | undefined
  >
>

/**
 * Starts a stand-in of every data provider. If an account is set, the service calls the real provider instead.
 *
 * Answers of a stand-in are marked as a sandbox's.
 */
export const startProviders = async (accounts: ProviderAccounts = {}): Promise<Providers> => {
  const [dataForSeo, ahrefs] = await Promise.all([startDataForSeo(), startAhrefs()])
  const { DATAFORSEO_LOGIN: login, DATAFORSEO_PASSWORD: password } = accounts
  const isReal = Boolean(login && password)
  return {
    dataForSeo,
    ahrefs,
    vars: {
      DATAFORSEO_LOGIN: isReal ? (login ?? '') : 'galley@sandbox.example',
      DATAFORSEO_PASSWORD: isReal ? (password ?? '') : 'sandbox-password',
      ...(isReal ? {} : { DATAFORSEO_URL: `${dataForSeo.url}/v3` }),
      AHREFS_URL: `${ahrefs.url}/v3`,
      SANDBOX_PROVIDERS: isReal ? 'ahrefs' : 'dataforseo,ahrefs',
    },
    close: async () => {
      await Promise.all([dataForSeo.close(), ahrefs.close()])
    },
  }
}
