import type { PostStatus } from '../../../../schema/values/social.ts'
import { Moment } from '../../parts.tsx'
import { type Mark, MarkPill } from '../parts.tsx'

/** States of a post: colour, shape and word. */
export const POST_STATES: Record<PostStatus, Mark> = {
  draft: ['plain', '□', 'Draft'],
  scheduled: ['accent', '■', 'Scheduled'],
  publishing: ['accent', '…', 'Going out'],
  published: ['good', '●', 'Published'],
  failed: ['bad', '▲', 'Failed'],
}

const WAITS: Mark = ['warn', '◇', 'To approve']

type Dated = {
  status: PostStatus
  scheduledFor: Date | null
  publishedAt: Date | null
  updatedAt: Date
  createdAt: Date
}

/** Renders when a post goes out, went out, was tried or was made. */
export const When = ({ post }: { post: Dated }) => {
  const { status, scheduledFor, publishedAt, updatedAt, createdAt } = post
  if (status === 'published')
    return (
      <>
        out since <Moment at={publishedAt ?? updatedAt} />
      </>
    )
  if (status === 'scheduled')
    return (
      <>
        goes out <Moment at={scheduledFor} />
      </>
    )
  if (status === 'failed')
    return (
      <>
        tried <Moment at={updatedAt} />
      </>
    )
  return (
    <>
      made <Moment at={createdAt} />
    </>
  )
}

/** Renders the state of a post: that it waits for a person comes first. */
export const PostState = ({ status, waits }: { status: PostStatus; waits: boolean }) => (
  <MarkPill mark={waits ? WAITS : POST_STATES[status]} />
)
