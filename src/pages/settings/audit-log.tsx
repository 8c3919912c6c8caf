import type { Hono } from 'hono'
import { listActors, listAuditLog, namesIn } from '../../accounts/audit/log.ts'
import { listPeople } from '../../accounts/people/members.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { ctxOf, idIn } from '../ctx.ts'
import { type Front, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { siteName } from '../menu.ts'
import { Empty, Select } from '../parts.tsx'
import { withQuery } from '../site/front.ts'
import { clockOfPage, dayAfter, dayIn, dayText, placeOf, timeIn } from '../zone.ts'
import { actorName, withPeople } from './actors.ts'
import { AUDIT_KINDS, auditSentence, isService, subjectPath, subjectWords } from './audit-words.ts'
import { UndoButton } from './undo.tsx'

type Entry = Awaited<ReturnType<typeof listAuditLog>>['entries'][number]
type Names = Awaited<ReturnType<typeof namesIn>>
type Filter = { action: string; actor: string; since: string }

/** Larger than the offset of any time zone from UTC. */
const WIDEST_OFFSET_MS = 15 * 3_600_000

const filterIn = (c: PagesContext): Filter => {
  const given = (name: string, form: RegExp) => form.exec(c.req.query(name) ?? '')?.[0] ?? ''
  const day = given('since', /^\d{4}-\d\d-\d\d$/)
  return {
    action: AUDIT_KINDS.map(([name]) => name).find((name) => name === c.req.query('action')) ?? '',
    actor: given('actor', /^[a-z]+(:[\w-]{1,64})?$/),
    since: Number.isNaN(Date.parse(day)) ? '' : day,
  }
}

/** Returns the names of the filter's actor in the log. A person can also have acted as an editor. */
const actorsOf = (actor: string) => {
  if (actor === '' || actor === 'service') return actor === '' ? {} : { actors: 'service' as const }
  return { actors: actor.startsWith('person:') ? [actor, actor.replace('person', 'editor')] : [actor] }
}

/** Returns the actors to choose from: the service, people and keys, by name. */
const choicesOf = (actors: readonly string[], chosen: string, names: Names): [value: string, label: string][] => {
  const values = new Set(
    [...actors, ...(chosen === '' ? [] : [chosen])].map((one) =>
      isService(one) ? 'service' : one.replace(/^editor:/, 'person:'),
    ),
  )
  const label = (one: string) => (one === 'service' ? 'the service' : actorName(names, one))
  return [...values].map((one): [string, string] => [one, label(one)]).sort(([, a], [, b]) => (a < b ? -1 : 1))
}

type Sites = ReadonlyMap<number, string>

/** Renders the thing of an entry, and its site if the account has several. */
const On = ({ subject, names, sites }: { subject: string; names: Names; sites: Sites }) => {
  const { name = subjectWords(subject), project } = names.get(subject) ?? {}
  const site = project !== undefined && sites.size > 1 && !subject.startsWith('project:') && sites.get(project)
  const path = subjectPath(subject, project !== undefined && sites.has(project) ? project : undefined)
  return (
    <>
      {path === undefined ? (
        <span dir="auto">{name}</span>
      ) : (
        <a href={path} dir="auto">
          {name}
        </a>
      )}
      {site && <span class="meta"> {site}</span>}
    </>
  )
}

/** Equal entries that follow each other: the newest, how many there are, and the time of the oldest. */
type Fold = { entry: Entry; count: number; since: string }

/** Folds entries of the same kind, thing and actor that follow each other. */
export const foldEqual = (entries: readonly Entry[]): Fold[] => {
  const folds: Fold[] = []
  for (const entry of entries) {
    const last = folds.at(-1)
    const isEqual =
      last?.entry.action === entry.action && last.entry.subject === entry.subject && last.entry.actor === entry.actor
    if (last && isEqual) Object.assign(last, { count: last.count + 1, since: entry.at })
    else folds.push({ entry, count: 1, since: entry.at })
  }
  return folds
}

/** Renders entries in a card for each day, by the page's clock. Entries before the day `since` are left out. */
const Days = (props: {
  entries: readonly Entry[]
  names: Names
  sites: Sites
  /** Id of the signed-in person. */
  me: string
  filter: Filter
  before: number | null
}) => {
  const { zone, now } = clockOfPage()
  const { filter } = props
  const today = dayIn(now, zone)
  const days = Object.groupBy(props.entries, ({ at }) => dayIn(new Date(at), zone))
  const shown = Object.entries(days).filter(([day]) => day >= filter.since)
  const nameOf = (day: string) =>
    day === today ? 'Today' : day === dayAfter(today, -1) ? 'Yesterday' : dayText(day, today)
  return (
    <>
      {shown.length === 0 && (
        <Empty>
          <p>{Object.values(filter).some((one) => one !== '') ? 'No entry matches.' : 'Nothing more is kept.'}</p>
          <a href={PATHS.audit}>Show everything</a>
        </Empty>
      )}
      {shown.map(([day, entries = []]) => (
        <section class="card">
          <header>
            <h2>{nameOf(day)}</h2>
            <span class="meta">times in {placeOf(zone)}</span>
          </header>
          <ul class="rows two">
            {foldEqual(entries).map(({ entry, count, since }) => (
              <li>
                <div>
                  <span title={entry.action}>{auditSentence(entry.action)}</span>:{' '}
                  <On subject={entry.subject} names={props.names} sites={props.sites} />
                  <p dir="auto">
                    by {actorName(props.names, entry.actor)}
                    {count > 1 && `, ${count} times since ${timeIn(new Date(since), zone)}`}
                  </p>
                </div>
                <span class="row">
                  <UndoButton entry={entry} me={props.me} name={auditSentence(entry.action)} />
                  <time class="meta" datetime={entry.at} title={entry.at}>
                    {timeIn(new Date(entry.at), zone)}
                  </time>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {props.before !== null && shown.length === Object.keys(days).length && (
        <p class="pages">
          <a href={withQuery(PATHS.audit, { ...filter, before: String(props.before) })}>Older entries</a>
        </p>
      )}
    </>
  )
}

const page = async (c: PagesContext, front: Front) => {
  const before = idIn(c.req.query('before'))
  const ctx = ctxOf(c, front)
  const filter = filterIn(c)
  const { action, actor, since } = filter
  const [{ entries, before_id }, { members }, actors] = await Promise.all([
    listAuditLog(ctx, {
      ...(before === 0 ? {} : { before_id: before }),
      ...(action === '' ? {} : { action }),
      ...actorsOf(actor),
      // Clocks ahead of UTC begin the day earlier. `Days` leaves out entries that are too early.
      ...(since === '' ? {} : { since: new Date(Date.parse(since) - WIDEST_OFFSET_MS).toISOString() }),
    }),
    listPeople(ctx),
    listActors(ctx),
  ])
  const [found, sites] = await Promise.all([
    namesIn(ctx, [...entries, ...actors.map((one) => ({ actor: one }))]),
    c.get('sites'),
  ])
  const names = withPeople(found, members)
  return await show(c, front, {
    title: 'Audit log',
    menu: true,
    body: (
      <>
        <p>What keys, people and the service did in this account, newest first. It is kept for 400 days.</p>
        <form class="find" method="get" action={PATHS.audit}>
          <Select name="action" label="What" options={[['', 'everything'], ...AUDIT_KINDS]} chosen={action} />
          <Select
            name="actor"
            label="By"
            options={[['', 'everybody'], ...choicesOf(actors, actor, names)]}
            chosen={actor}
          />
          <label>
            Since
            <input type="date" name="since" value={since} />
          </label>
          <button class="plain" type="submit">
            Show
          </button>
        </form>
        <Days
          entries={entries}
          names={names}
          sites={new Map(sites.map((site) => [site.id, siteName(site)]))}
          me={c.get('person').id}
          filter={filter}
          before={before_id}
        />
      </>
    ),
  })
}

/** Adds the page of the account's audit log. */
export const auditPages = (app: Hono<PagesEnv>, front: Front): void => {
  app.get(PATHS.audit, signedIn(front), (c) => page(c, front))
}
