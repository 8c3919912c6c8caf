export type WixDraft = Record<string, unknown> & {
  id: string
  title: string
  status: 'PUBLISHED' | 'UNPUBLISHED' | 'DELETED'
  seoSlug: string
  createdDate: string
  editedDate: string
  firstPublishedDate: string | null
  richContent: unknown
  media: unknown
  /** Image at the top of the post. Readers see it only if both `media`, with both flags, and `heroImage` name it. */
  cover: string | null
  tagIds: string[]
  categoryIds: string[]
  hasUnpublishedChanges: boolean
}

export type Refusal = { status: number; code: string; message: string }
export type WixBlogOptions = {
  now: () => Date
  members: readonly { id: string; profile: { nickname: string } }[]
  /** Treatment of a taken slug. The documentation does not describe it. */
  takenSlug?: 'refused' | 'suffixed' | 'suffixed_when_live'
}

export const guid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const WRITABLE = [
  'title',
  'excerpt',
  'richContent',
  'tagIds',
  'categoryIds',
  'seoData',
  'firstPublishedDate',
  'memberId',
  'heroImage',
]

/** Slugs that Wix reserves for its own pages. */
const RESERVED = ['pts', 'search', 'hashtags', 'categories', 'archive', 'my-posts']
const MAX_SLUG = 100

/** Returns the posts of a Wix blog: drafts, and their live versions, which change only when a draft is published. */
export const wixBlog = ({ now, members, takenSlug = 'refused' }: WixBlogOptions) => {
  const drafts = new Map<string, WixDraft>()
  const live = new Map<string, WixDraft>()
  const labels = { tags: new Map<string, string>(), categories: new Map<string, string>() }
  let made = 0
  const newId = (): string => {
    made += 1
    return guid(made)
  }
  const isTaken = (slug: string, self = ''): boolean =>
    [...drafts.values()].some((d) => d.id !== self && d.seoSlug === slug && d.status !== 'DELETED')
  const apply = (draft: WixDraft, given: Record<string, unknown>): Refusal | undefined => {
    const media = given.media as { displayed?: boolean; custom?: boolean; altText?: string } | undefined
    if (media?.altText === '')
      return { status: 400, code: 'altText', message: 'media.altText must be at least 1 character' }
    for (const name of WRITABLE) if (name in given) draft[name] = given[name]
    // Without both flags, Wix accepts a cover and shows it nowhere.
    if (media?.displayed && media.custom) draft.media = media
    const { id } = (draft.media as { wixMedia?: { image?: { id?: string } } } | null)?.wixMedia?.image ?? {}
    draft.cover = id && (draft.heroImage as { id?: string } | undefined)?.id === id ? id : null
    draft.tagIds = draft.tagIds.filter((id) => [...labels.tags.values()].includes(id))
    draft.categoryIds = draft.categoryIds.filter((id) => [...labels.categories.values()].includes(id))
    draft.editedDate = now().toISOString()
    draft.hasUnpublishedChanges = true
    if (draft.title.length > 200) return { status: 400, code: 'title', message: 'title must be at most 200 characters' }
    return members.some((m) => m.id === draft.memberId)
      ? undefined
      : { status: 400, code: 'MEMBER_NOT_FOUND', message: 'Missing post owner information' }
  }
  const create = (given: Record<string, unknown>): WixDraft | Refusal => {
    const wanted = String(given.seoSlug ?? '')
    if (encodeURIComponent(wanted).length > MAX_SLUG)
      return { status: 400, code: 'seoSlug', message: `seoSlug must be at most ${MAX_SLUG} characters` }
    const slug = RESERVED.includes(wanted) ? `__${wanted}` : wanted
    if (isTaken(slug) && takenSlug === 'refused')
      return { status: 409, code: 'SLUG_ALREADY_EXISTS', message: `A post with slug ${slug} already exists` }
    const at = now().toISOString()
    const draft: WixDraft = {
      id: newId(),
      title: '',
      status: 'UNPUBLISHED',
      seoSlug: isTaken(slug) && takenSlug === 'suffixed' ? `${slug}-1` : slug,
      createdDate: at,
      editedDate: at,
      firstPublishedDate: null,
      richContent: null,
      media: null,
      cover: null,
      tagIds: [],
      categoryIds: [],
      hasUnpublishedChanges: false,
    }
    const refusal = apply(draft, given)
    if (refusal) return refusal
    drafts.set(draft.id, draft)
    return draft
  }
  const publish = (draft: WixDraft): void => {
    draft.status = 'PUBLISHED'
    draft.firstPublishedDate ??= now().toISOString()
    draft.hasUnpublishedChanges = false
    const isOther = takenSlug === 'suffixed_when_live' && isTaken(draft.seoSlug, draft.id)
    live.set(draft.id, { ...structuredClone(draft), slug: isOther ? `${draft.seoSlug}-1` : draft.seoSlug })
  }
  const revert = (draft: WixDraft): void => {
    draft.status = 'UNPUBLISHED'
    live.delete(draft.id)
  }
  const remove = (id: string): boolean => {
    const draft = drafts.get(id)
    if (draft) draft.status = 'DELETED'
    live.delete(id)
    return draft !== undefined
  }
  return { drafts, live, labels, newId, apply, create, publish, revert, remove }
}

export type WixBlog = ReturnType<typeof wixBlog>
