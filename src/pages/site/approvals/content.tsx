import { raw } from 'hono/html'
import type { ApprovalKind, ApprovalStatus, Proposed } from '../../../../schema/values/approvals.ts'
import type { approvalDetail } from '../../../accounts/approvals/rules.ts'
import { escapeText } from '../../../content/html/references.ts'
import { differenceOf } from '../../../insights/suggestions/difference.ts'
import { mediaOf } from '../../../reach/social/input-rules.ts'
import { FILES } from '../../../reach/social/present.ts'
import { Moment } from '../../parts.tsx'
import { Card, type Mark, MarkPill } from '../parts.tsx'
import { Sides } from '../suggestions/compare.tsx'

const STATES: Record<ApprovalStatus, Mark> = {
  awaiting: ['warn', '◇', 'Waits for you'],
  approved: ['accent', '◆', 'Approved'],
  returned: ['plain', '×', 'Sent back'],
  expired: ['bad', '▲', 'Time is over'],
  superseded: ['plain', '□', 'Changed since'],
  used: ['good', '●', 'Sent'],
  failed: ['bad', '▲', 'Could not be sent'],
}

/** Names of the kinds of approvals, for people. */
export const KINDS: Record<ApprovalKind, string> = {
  publish: 'Publication',
  sync: 'Change of a live article',
  suggestion: 'Rewrite of a live article',
  rollback: 'Earlier version of a live article',
  unpublish: 'Adopted post to take down',
  replay: 'Repeated delivery',
  social_post: 'Social post',
  comment_guide: 'Rule that answers commenters',
  review_reply: 'Reply to a review',
  crowdwork: 'Crowdwork campaign',
  changes: 'Set of changes',
}

/** Returns a target without its path, which only programs need: “Webhook at example.com”. */
export const targetWords = (target: string): string => target.replace(/ https?:\/\/([^/\s]+)\S*$/, ' at $1')

/** Renders the state of an approval. */
export const State = ({ status }: { status: ApprovalStatus }) => <MarkPill mark={STATES[status]} />

/** Approval as answers of the API have it. */
export type Approval = ReturnType<typeof approvalDetail>

const htmlOf = ({ body, format }: Proposed): string =>
  format === 'html' ? body : escapeText(body).replaceAll('\n', '<br>')

/** Names of fields for people who do not know a CMS. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  'Meta description': 'Description for search engines',
  'Search title': 'Title in search results',
  'Alt text': 'What the picture shows',
  Slug: 'Last part of the address',
}

/** Renders the files of a post: its pictures with their alternative texts, and links to its videos. Each line is one file. */
const Files = ({ lines }: { lines: string }) => (
  <>
    {lines.split('\n').map((line) => {
      const [, url = line, alt = ''] = /^(\S+)(?: \((.*)\))?$/.exec(line) ?? []
      return (
        <p>
          {mediaOf([url])[0]?.type === 'image' ? (
            <img class="thumb" src={url} alt={alt} loading="lazy" />
          ) : (
            <a href={url}>The video</a>
          )}
          <span class="day">{alt}</span>
        </p>
      )
    })}
  </>
)

/** Renders the fields that would go out beside the text. Those that the live version has too are left out. */
export const Fields = ({ proposed, live }: { proposed: Proposed; live: Proposed | null }) => {
  const names = Object.keys({ ...live?.fields, ...proposed.fields })
  const rows = names.filter((name) => live === null || live.fields[name] !== proposed.fields[name])
  return rows.length === 0 ? null : (
    <dl class="in">
      {rows.map((name) => (
        <div>
          <dt>{FIELD_WORDS[name] ?? name}</dt>
          <dd dir="auto">
            {live?.fields[name] !== undefined && (
              <>
                <del>{live.fields[name]}</del>{' '}
              </>
            )}
            {name === FILES && proposed.fields[name] ? (
              <Files lines={proposed.fields[name]} />
            ) : (
              (proposed.fields[name] ?? <em>empty</em>)
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const Changes = ({ proposed, live }: { proposed: Proposed; live: Proposed }) => {
  const { html, stats } = differenceOf(htmlOf(live), htmlOf(proposed))
  return (
    <Card title="What changes" note={`${stats.added} words come, ${stats.removed} go`}>
      {live.title !== proposed.title && <Sides label="Title" before={live.title} after={proposed.title} />}
      <Fields proposed={proposed} live={live} />
      <div class="in prose" dir="auto">
        {raw(html)}
      </div>
    </Card>
  )
}

/** Renders a waiting approval: its target, its changes, and the whole text. `preview` is the address of the text alone. */
export const Content = ({ one, preview }: { one: Approval; preview: string }) => {
  const { proposed, live } = one
  return (
    <>
      <Card title={KINDS[one.kind]}>
        <dl class="in">
          <div>
            <dt>Goes to</dt>
            <dd>{targetWords(one.target)}</dd>
          </div>
          <div>
            <dt>Asked</dt>
            <dd>
              <Moment at={new Date(one.created_at)} />
            </dd>
          </div>
          {one.status === 'awaiting' && (
            <div>
              <dt>Can be approved until</dt>
              <dd>
                <Moment at={new Date(one.expires_at)} />
              </dd>
            </div>
          )}
          {one.decided_by !== null && (
            <div>
              <dt>Decided by</dt>
              <dd dir="auto">{one.decided_by}</dd>
            </div>
          )}
          {one.comment !== null && (
            <div>
              <dt>Comment</dt>
              <dd dir="auto">{one.comment}</dd>
            </div>
          )}
        </dl>
      </Card>
      {live !== null && <Changes proposed={proposed} live={live} />}
      <Card title="As it would go out">
        {live === null && <Fields proposed={proposed} live={null} />}
        {proposed.format === 'html' ? (
          <iframe class="paper" src={preview} title={`Preview of ${proposed.title}`} loading="lazy" />
        ) : (
          <div class="in prose" dir="auto">
            {raw(htmlOf(proposed))}
          </div>
        )}
      </Card>
    </>
  )
}
