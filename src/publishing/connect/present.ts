import type { integrations } from '../../../schema/integrations.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

type Integration = Omit<typeof integrations.$inferSelect, 'sealedSecrets' | 'platform'> & {
  platform: string
  businessName: string
}

/** Names of the contract for names that are stored for people. */
const WIRE_NAMES: Record<string, string> = { 'Google Search Console': 'search_console' }

/** Returns an integration as lists show it; never a secret. */
export const integrationRow = (i: Integration) => ({
  ID: i.id,
  Platform: WIRE_NAMES[i.platform] ?? i.platform,
  IntegrationName: i.name,
  Status: i.status,
  ProjectID: i.projectId,
  BusinessName: i.businessName,
  Url: i.url,
  LastUsedAt: iso(i.lastUsedAt),
  LastError: i.lastError,
  CreatedAt: iso(i.createdAt),
})
