import type { KeywordSource } from '../../onboarding/port.ts'
import { keywordsFrom } from './transform.ts'

/** Keywords from what the site and its owner say: no service is asked, so nobody measured volume or difficulty. */
export const siteKeywords = (): KeywordSource => ({
  discover: async (input) =>
    keywordsFrom(input).map((keyword) => ({ keyword, searchVolume: null, difficulty: null, source: 'site' })),
})
