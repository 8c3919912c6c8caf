import { diffArrays } from 'diff'
import { and, eq, exists, isNull } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import type { ApprovalKind, Proposed } from '../../../schema/values/approvals.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { clip } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { foreign, oneLine, quoted } from '../people/letter.ts'
import type { Mail } from '../people/mail.ts'
import { queueMail, sealMail } from '../people/send-mail.ts'
import { expire, type Follow } from './decide.ts'
import { approvalForJob, deciders } from './queries.ts'
import { approveUrl, EXPIRED, liveOf, REMIND_AFTER_MS, WARN_AFTER_MS } from './rules.ts'

/** Limits of a mail: number of changes, characters of each side of a change, and words of context before it. */
const MOST_CHANGES = 12
const MOST_OF_CHANGE = 200
const CONTEXT = 4
/** Characters of new content in a mail. */
const MOST_OF_NEW = 400
/** Versions with more changed words have too little in common to be compared. */
const MAX_EDITS = 4_000

const REFERENCES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
}

const wordsOfHtml = (html: string): string =>
  html.replace(/<[^<>]*>/g, ' ').replace(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (reference) => REFERENCES[reference] ?? '')

const textOf = ({ body, format }: Proposed): string => (format === 'html' ? wordsOfHtml(body) : body)

const wordsOf = (text: string): string[] => text.match(/\S+/g) ?? []

const short = (text: string, most: number): string => (text.length > most ? `${clip(text, most - 1).trimEnd()}…` : text)

/** Returns the beginning of new content in plain text, and its fields. */
const beginningOf = (proposed: Proposed): string => {
  const text = wordsOf(textOf(proposed)).join(' ')
  const also = Object.entries(proposed.fields).map(
    ([name, value]) => `${name}: ${short(wordsOf(value).join(' '), MOST_OF_CHANGE)}`,
  )
  return [short(text, MOST_OF_NEW), ...also].filter((line) => line !== '').join('\n')
}

/** Returns a line for each run of changed words in one text; undefined if the texts have little in common. */
const linesOf = (live: string, proposed: string, name = ''): string[] | undefined => {
  const runs = diffArrays(wordsOf(live), wordsOf(proposed), { maxEditLength: MAX_EDITS })
  if (!runs) return undefined
  let before = name
  return runs.flatMap(({ added, removed, value }) => {
    if (added || removed) return [`${added ? '+' : '-'} ${before}${short(value.join(' '), MOST_OF_CHANGE)}`]
    before = `${name}… ${value.slice(-CONTEXT).join(' ')} `
    return []
  })
}

/**
 * Returns the differences from the live version in plain text: removed words after `-`, added words after `+`. If there is no live
 * version, returns the beginning of the content.
 */
const changesInWords = (proposed: Proposed, live: Proposed | null): string => {
  if (live === null) return beginningOf(proposed)
  const names = Object.keys({ ...live.fields, ...proposed.fields })
  const parts = [
    linesOf(live.title, proposed.title),
    linesOf(textOf(live), textOf(proposed)),
    ...names.map((name) => linesOf(live.fields[name] ?? '', proposed.fields[name] ?? '', `${name}: `)),
  ]
  if (parts.includes(undefined)) return `Most of it is different. It now begins:\n${beginningOf(proposed)}`
  const lines = parts.flatMap((part) => part ?? [])
  if (lines.length === 0) return 'The words stay the same; pictures, links or formatting change.'
  const more = lines.length - MOST_CHANGES
  return [...lines.slice(0, MOST_CHANGES), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

const WHAT: Record<ApprovalKind, string> = {
  publish: 'An article is ready to be published',
  sync: 'A change of a live article is ready to be sent',
  suggestion: 'A rewrite of a live article is ready to be published',
  rollback: 'An earlier version of a live article is ready to be put back',
  unpublish: 'An adopted post is to be taken down',
  replay: 'A delivery is ready to be sent again',
  social_post: 'A social post is ready to go out',
  comment_guide: 'A rule that answers commenters is ready to be set up',
  review_reply: 'A reply to a review is ready to go out',
  crowdwork: 'A crowdwork campaign is ready to begin',
  changes: 'A set of changes of live articles is ready to be released',
}

/** Approval that waits for a person, as the mail describes it. */
type Wanted = {
  kind: ApprovalKind
  title: string
  target: string
  /** Differences from the live version, in plain text. */
  changes: string
  url: string
  expiresAt: Date
}

/** Column that records a mail about an approval. */
type Mailing = 'toldAt' | 'remindedAt' | 'warnedAt'

/** Beginning of the subject, and the name in the mail's id, of each mail about an approval. */
const MAILINGS: Record<Mailing, { subject: string; name: string }> = {
  toldAt: { subject: 'Approval wanted', name: 'asked' },
  remindedAt: { subject: 'Still waiting: approval wanted', name: 'reminded' },
  warnedAt: { subject: 'Two days left: approval wanted', name: 'warned' },
}

/** Returns the mail that asks a person to approve something. */
const approvalWanted = (service: string, to: string, about: Wanted, mailing: Mailing): Mail => ({
  to,
  subject: `${MAILINGS[mailing].subject}: ${foreign(about.title) || WHAT[about.kind]}`,
  text: `${WHAT[about.kind]}. Its own words are marked with “>”; they are not from ${service}, and addresses in them are not links.

${quoted([oneLine(about.title), `It goes to: ${oneLine(about.target)}`, '', about.changes].filter((line, n) => n > 0 || line !== '').join('\n'))}

${mailing === 'warnedAt' ? 'Nobody has decided for five days. ' : ''}Nothing goes out before a person approves it. Read it, see what changes, and approve it or send it back with a comment:

${about.url}

It can be approved until ${about.expiresAt.toISOString().slice(0, 10)}. After that it is not sent, and an article becomes a draft that keeps its date.

${service}`,
})

type Row = Awaited<ReturnType<typeof approvalForJob>>[number]
type Person = Awaited<ReturnType<typeof deciders>>[number]

/** Queues a mail to each person and records that they were notified, unless that is recorded already. */
const tell = async (ctx: Ctx, row: Row, column: Mailing, people: readonly Person[], about: Wanted): Promise<void> => {
  const now = ctx.now()
  const isDue = and(eq(approvals.id, row.id), isNull(approvals[column]))
  const due = () => ctx.db.select({ id: approvals.id }).from(approvals).where(isDue)
  const mails = await Promise.all(
    people.map((person) => {
      const mail = approvalWanted(ctx.settings.serviceName, person.email, about, column)
      const id = `approval-${row.id}-${MAILINGS[column].name}-${person.id}`
      return sealMail(ctx, mail, row.expiresAt, id)
    }),
  )
  const note = audit(ctx, {
    account: row.accountId,
    action: 'approval.undecided',
    on: ['approval', row.id],
    detail: { kind: row.kind, article_id: row.articleId, expires_at: row.expiresAt.toISOString() },
  })
  await ctx.batch(
    {
      due: due().for('no key update'),
      ...when(exists(due()), { undecided: column === 'warnedAt' && note }),
      map: mails.map((mail) => queueMail(mail, { if: exists(due()), now, account: row.accountId })),
      changedApprovals: ctx.db
        .update(approvals)
        .set({ [column]: now })
        .where(isDue),
    },
    { unaudited: 'people are told of what the log has' },
  )
  ctx.defer(ctx.wakeQueue())
}

/** Returns the second owner and a deputy, who get the reminder; empty if there is neither. */
const reminded = (people: readonly Person[]): Person[] => {
  const second = people.filter(({ role }) => role === 'owner')[1]
  return people.filter((person) => person === second || person.isDeputy)
}

const earlier = (one: Date, other: Date): Date => new Date(Math.min(one.getTime(), other.getTime()))

/** Takes the steps of a question that are due: mails people, reminds, warns, or expires it. Returns when the next is due. */
export const followApproval = async (ctx: Ctx, go: Follow, id: number): Promise<JobResult> => {
  const {
    row: [row],
    people,
  } = await ctx.read((owner) => ({ row: approvalForJob(ctx.db, owner, id), people: deciders(ctx.db, owner, id) }))
  if (!row || (row.status !== 'awaiting' && row.status !== 'approved')) return { kind: 'done' }
  const now = ctx.now()
  if (row.expiresAt <= now) {
    await expire(ctx, go, id, EXPIRED)
    return { kind: 'done' }
  }
  if (row.status === 'approved') return { kind: 'later', at: row.expiresAt }
  const changes = changesInWords(row.proposed, liveOf(row))
  const about = { ...row, changes, url: approveUrl(ctx.settings.publicUrl, row) }
  const after = (ms: number) => new Date(row.createdAt.getTime() + ms / ctx.settings.retryTimeScale)
  const steps: readonly [Mailing, Date, readonly Person[]][] = [
    ['toldAt', now, people],
    ['remindedAt', after(REMIND_AFTER_MS), reminded(people)],
    ['warnedAt', after(WARN_AFTER_MS), people],
  ]
  for (const [column, at, to] of steps) {
    if (row[column] !== null) continue
    if (at > now) return { kind: 'later', at: earlier(at, row.expiresAt) }
    await tell(ctx, row, column, to, about)
  }
  return { kind: 'later', at: row.expiresAt }
}
