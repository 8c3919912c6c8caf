import type { SiteWords } from '../../../insights/onboarding/port.ts'
import { keywordsFrom, seedsFrom } from './transform.ts'

/** Keywords from what the site and its owner say: no service is asked, so nobody measured volume or difficulty. */
export const siteWords: SiteWords = { seeds: seedsFrom, keywords: keywordsFrom }
