import type { CmsPostStatus } from '../../publishing/target/site-posts.ts'

/** Meaning of the states of each CMS for readers. */
const STATES = {
  wordpress: {
    publish: 'published',
    future: 'scheduled',
    trash: 'trashed',
    draft: 'draft',
    pending: 'draft',
    private: 'draft',
  },
  ghost: { published: 'published', sent: 'published', scheduled: 'scheduled', draft: 'draft' },
  wix: {
    PUBLISHED: 'published',
    SCHEDULED: 'scheduled',
    DELETED: 'trashed',
    UNPUBLISHED: 'draft',
    IN_REVIEW: 'draft',
  },
  gohighlevel: {
    PUBLISHED: 'published',
    SCHEDULED: 'scheduled',
    ARCHIVED: 'trashed',
    DELETED: 'trashed',
    DRAFT: 'draft',
    SCHEDULE_FAILED: 'draft',
  },
} satisfies Record<string, Record<string, CmsPostStatus>>

/** Returns our status for a state of a CMS. Readers do not see a post in a state that a plugin added. */
export const statusIn = (cms: keyof typeof STATES, state: string): CmsPostStatus =>
  (STATES[cms] as Record<string, CmsPostStatus>)[state] ?? 'draft'
