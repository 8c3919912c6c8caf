import type { Hono } from 'hono'
import { namesIn } from '../../accounts/audit/log.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { TargetFactory } from '../../publishing/target/publish-target.ts'
import { undo } from '../../publishing/undo/undo.ts'
import { askToConfirm } from '../confirm.tsx'
import { ctxOf, idIn } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, signedIn } from '../front.tsx'
import type { Notice } from '../notice.ts'
import { ActionButton } from '../parts.tsx'
import { act } from '../site/front.ts'
import { forPeople } from '../words.ts'
import { auditSentence, subjectWords } from './audit-words.ts'

/** Actions that an undo may take back. */
const UNDOABLE: ReadonlySet<string> = new Set([
  'article.create',
  'article.generate',
  'article.publish',
  'article.rollback',
  'article.sync',
  'article.update',
  'social.draft',
  'social.schedule',
  'suggestion.approve',
  'suggestion.create',
  'suggestion.regenerate',
])

type Entry = { action: string; actor: string; request_id: string | null }

/** Renders the button that undoes what a person, or a key, did in one step. Other entries have none. */
export const UndoButton = ({ entry, me, name }: { entry: Entry; me: string; name: string }) => {
  const { action, actor, request_id: request } = entry
  const [kind, id] = actor.split(':')
  if (request === null || !UNDOABLE.has(action) || (id !== me && kind !== 'key')) return null
  const fields = { request, ...(kind === 'key' ? { key: id ?? '' } : {}) }
  return <ActionButton action={PATHS.undo} label="Undo" name={name} fields={fields} />
}

type Undone = Awaited<ReturnType<typeof undo>>
type Outcome = Undone['entries'][number]

const reasonOf = ({ result, message }: Outcome): string => {
  if (result === 'undone')
    return message.startsWith('Restored:') ? 'It has its earlier fields again.' : forPeople(message)
  return forPeople(message) || 'It stays as it is.'
}

const Outcomes = ({ entries, names }: { entries: readonly Outcome[]; names: Awaited<ReturnType<typeof namesIn>> }) => (
  <ul class="rows two card">
    {entries.map((one) => (
      <li>
        <div>
          {auditSentence(one.action)},{' '}
          <span dir="auto">{names.get(one.subject)?.name ?? subjectWords(one.subject)}</span>
          <p>{one.result === 'undone' ? 'Can be undone.' : reasonOf(one)}</p>
        </div>
      </li>
    ))}
  </ul>
)

const noticeOf = ({ entries, undone, count }: Undone): Notice => ({
  tone: undone === count ? 'good' : undone === 0 ? 'bad' : 'warn',
  text: `${undone === count ? '' : `${undone} of ${count} changes are undone. `}${entries.map(reasonOf).join(' ')}`,
})

/** Adds the form that undoes what a person or a key did in one step. It first shows what would happen. */
export const undoPages = (app: Hono<PagesEnv>, front: Front & { targets: TargetFactory }): void => {
  app.get(PATHS.undo, signedIn(front), (c) => c.redirect(PATHS.audit, 303))
  app.post(PATHS.undo, signedIn(front), async (c: PagesContext) => {
    const fields = await formOf(c)
    const { request = '', key = '' } = fields
    const input = { request_id: request.slice(0, 200), ...(key === '' ? {} : { key_id: idIn(key) }) }
    const run = (isDry: boolean) => undo(ctxOf(c, front), front.targets, { ...input, dry_run: isDry })
    if (request === '') throw new ApiError('not_found', 'There is no such change.')
    const asking = await askToConfirm(c, front, fields, async () => {
      const { entries, undone } = await run(true)
      const names = await namesIn(ctxOf(c, front), entries)
      return {
        title: undone === 0 ? 'This cannot be undone' : 'Undo this?',
        body: <Outcomes entries={entries} names={names} />,
        label: undone === 0 ? undefined : 'Undo it',
        back: PATHS.audit,
      }
    })
    return asking ?? (await act(c, front, PATHS.audit, async () => noticeOf(await run(false))))
  })
}
