import { and, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { noticeChoices, noticeSettings } from '../../../schema/notices.ts'
import { people } from '../../../schema/people.ts'
import { NOTICE_KINDS, type NoticeChoice, type NoticeKind } from '../../../schema/values/notices.ts'
import type { Db } from '../../platform/db/client.ts'
import { seal, unseal } from '../../platform/lib/crypto.ts'
import { type Deps, sendBatch, sendReading } from '../../platform/runtime/ctx.ts'
import { DEFAULTS, nextMorning } from './rules.ts'

/** Returns an expression for a person's choice for a kind of notice, or for the default. */
export const choiceOf = (personId: AnyPgColumn, kind: NoticeKind): SQL<NoticeChoice> =>
  sql<NoticeChoice>`coalesce((select ${noticeChoices.choice} from ${noticeChoices} where ${and(
    eq(noticeChoices.personId, personId),
    eq(noticeChoices.kind, kind),
  )}), ${DEFAULTS[kind]})`

/** Mail settings of a person. `timezone` is null until they choose a zone or save these settings. */
export type Choices = { timezone: string | null; digest: boolean; kinds: Record<NoticeKind, NoticeChoice> }

/** Returns a person's mail settings. */
export const readChoices = async (db: Db, personId: string): Promise<Choices> => {
  const { settings, chosen } = await sendReading(db, {
    settings: db.select().from(noticeSettings).where(eq(noticeSettings.personId, personId)),
    chosen: db.select().from(noticeChoices).where(eq(noticeChoices.personId, personId)),
  })
  const kinds = { ...DEFAULTS }
  for (const { kind, choice } of chosen) kinds[kind] = choice
  const [{ timezone, digestAt } = { timezone: null, digestAt: null }] = settings
  return { timezone, digest: digestAt !== null, kinds }
}

type Changes = { timezone?: string; digest?: boolean; kinds?: Partial<Record<NoticeKind, NoticeChoice>> }

/** Saves a person's mail settings. Those that are not given stay unchanged. */
export const saveChoices = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  personId: string,
  { timezone, digest, kinds = {} }: Changes,
): Promise<void> => {
  const chosen = Object.entries(kinds).map(([kind, choice]) => ({ personId, kind: kind as NoticeKind, choice }))
  const digestAt = digest === true ? nextMorning(now(), timezone ?? 'UTC', 6) : null
  const changes = {
    ...(timezone === undefined ? {} : { timezone }),
    ...(digest === undefined ? {} : { digestAt }),
  }
  await sendBatch(
    db,
    {
      noticeChoices:
        chosen.length > 0 &&
        db
          .insert(noticeChoices)
          .values(chosen)
          .onConflictDoUpdate({
            target: [noticeChoices.personId, noticeChoices.kind],
            set: { choice: sql`excluded.choice` },
          }),
      noticeSettings:
        Object.keys(changes).length > 0 &&
        db
          .insert(noticeSettings)
          .values({ personId, ...changes })
          .onConflictDoUpdate({ target: noticeSettings.personId, set: changes }),
    },
    { unaudited: 'how a person is mailed' },
  )
}

/** Saves a person's time zone. If it changes, the next weekly digest moves to a morning in the new zone. */
export const saveZone = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  personId: string,
  timezone: string,
): Promise<void> => {
  const next = sql.param(nextMorning(now(), timezone, 6), noticeSettings.digestAt)
  const isMoved = and(isNotNull(noticeSettings.digestAt), ne(noticeSettings.timezone, timezone))
  await db
    .insert(noticeSettings)
    .values({ personId, timezone })
    .onConflictDoUpdate({
      target: noticeSettings.personId,
      set: {
        timezone,
        digestAt: sql`case when ${isMoved} then ${next}::timestamptz else ${noticeSettings.digestAt} end`,
      },
    })
}

const CONTEXT = 'unsubscribe'

/** Kinds of mails that an unsubscribe link can end. */
const ENDED = [...NOTICE_KINDS, 'digest'] as const
export type Ended = (typeof ENDED)[number]

/** Returns the sealed key of an unsubscribe link for a person and some kinds of mails. */
export const endingKey = async (
  { settings }: Pick<Deps, 'settings'>,
  personId: string,
  kinds: readonly string[],
): Promise<string> => await seal(settings.secretsKeys, JSON.stringify({ person: personId, kinds }), CONTEXT)

/** Returns the person and the kinds of mails of an unsubscribe link; undefined if its key is not one of ours. */
export const openEndingKey = async (
  { settings }: Pick<Deps, 'settings'>,
  key: string,
): Promise<{ person: string; kinds: Ended[] } | undefined> => {
  try {
    const { person, kinds } = JSON.parse(await unseal(settings.secretsKeys, key, CONTEXT)) as {
      person: string
      kinds: string[]
    }
    return { person, kinds: ENDED.filter((kind) => kinds.includes(kind)) }
  } catch {
    return undefined
  }
}

/** Ends some kinds of mails to a person. A repeated call, or one for a deleted person, changes nothing. */
export const endMails = async (
  deps: Pick<Deps, 'db' | 'now'>,
  { person, kinds }: { person: string; kinds: readonly Ended[] },
): Promise<void> => {
  const [known] = await deps.db.select({ id: people.id }).from(people).where(eq(people.id, person))
  if (!known) return
  const chosen = NOTICE_KINDS.filter((kind) => kinds.includes(kind))
  await saveChoices(deps, person, {
    ...(kinds.includes('digest') ? { digest: false } : {}),
    kinds: Object.fromEntries(chosen.map((kind) => [kind, 'never'])),
  })
}
