import { type Got, got, misfit } from '../got.ts'
import type { WixApi } from './api.ts'

const MAX_NAMED = 10

export type Author = { id: string | undefined; notes: string[] }

/**
 * Returns the member a new post belongs to: the byline's, else the chosen one, else the site's only one. Visitors who registered are
 * members too, so of several none is taken by chance.
 */
export const authorOf = async (api: WixApi, byline: string, chosen: string | undefined): Promise<Got<Author>> => {
  if (byline === '' && chosen) return got({ id: chosen, notes: [] })
  const answer = await api.members()
  if (answer.kind !== 'got') return answer
  const members = answer.value.members ?? []
  const named = members.find((m) => byline !== '' && m.profile?.nickname?.toLowerCase() === byline.toLowerCase())
  if (named) return got({ id: named.id, notes: [] })
  const id = chosen ?? (members.length === 1 ? members[0]?.id : undefined)
  const notes = byline === '' ? [] : [`No member of the site is called "${byline}", so another is the author.`]
  if (id) return got({ id, notes })
  if (members.length === 0)
    return misfit('The site has no members, and Wix takes no post without one. Add a member, or give member_id.')
  const list = members.slice(0, MAX_NAMED).map((m) => `${m.profile?.nickname ?? 'unnamed'} (${m.id})`)
  return misfit(
    `member_id is needed: the site has several members, and one of them is shown as the author: ${list.join(', ')}${members.length > MAX_NAMED ? ' and more' : ''}.`,
  )
}

/** Returns the author of a post that is there: another only where the byline is a member's. */
export const newAuthorOf = async (api: WixApi, byline: string): Promise<Got<Author>> => {
  if (byline === '') return got({ id: undefined, notes: [] })
  const answer = await api.members()
  if (answer.kind !== 'got') return answer
  const named = answer.value.members?.find((m) => m.profile?.nickname?.toLowerCase() === byline.toLowerCase())
  return got(
    named
      ? { id: named.id, notes: [] }
      : { id: undefined, notes: [`No member of the site is called "${byline}", so the author stays.`] },
  )
}
