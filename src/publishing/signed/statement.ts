import { sha256 } from '../../platform/lib/crypto.ts'
import type { SentFacts } from './queries.ts'

/** Page as readers saw it at the last check. */
type Seen = Readonly<Record<string, unknown>> & { checked_at: string }

/** Subject of a receipt: the text, its address, and what the page showed. */
export type Shown = {
  articleId: number
  revision: number
  title: string
  content: string
  url: string
  /** True if the page showed the article as it was sent last. */
  isShown: boolean
  seen: Seen
}

/** Returns an id of a person that leads to nobody: the same within an account, and different in each. */
const opaque = async (accountId: number, personId: string): Promise<string> =>
  `person_${(await sha256(`galley receipt:${accountId}:${personId}`)).slice(0, 24)}`

const iso = (at: Date | string | null): string | null => (at === null ? null : new Date(at).toISOString())

/** Fields of a stored receipt that are about the time after it. */
const NOT_SEEN = ['next_check_at', 'build', 'revision']

const deliveryOf = (facts: SentFacts | undefined) =>
  facts && {
    id: facts.delivery_id,
    key: facts.key,
    event: facts.event,
    target: facts.platform,
    began_at: iso(facts.began_at),
    attempts: facts.attempts,
    accepted_times: facts.accepted_times,
  }

const approvalOf = async (facts: SentFacts | undefined) =>
  facts?.approval_id != null
    ? {
        id: facts.approval_id,
        content_hash: facts.approved_hash,
        decided_at: iso(facts.decided_at),
        decided_by: facts.decider ? await opaque(facts.account_id, facts.decider) : 'review_link',
      }
    : null

/**
 * Returns the statement of a receipt, which is the payload of its JWS: which text went to which address, under which policy and
 * approval, how often, and what readers saw. It names no person.
 */
export const statementOf = async (
  { articleId, revision, title, content, url, isShown, seen }: Shown,
  facts: SentFacts | undefined,
  { issuer, now }: { issuer: string; now: Date },
) => ({
  v: 1,
  iss: issuer,
  iat: Math.floor(now.getTime() / 1_000),
  article_id: articleId,
  revision,
  title,
  content_sha256: await sha256(content),
  url,
  delivery: deliveryOf(facts) ?? null,
  policy:
    facts?.policy_version != null ? { version: facts.policy_version, needs_approval: facts.needs_approval } : null,
  approval: await approvalOf(facts),
  shown: isShown,
  seen: Object.fromEntries(Object.entries(seen).filter(([name]) => !NOT_SEEN.includes(name))),
})
