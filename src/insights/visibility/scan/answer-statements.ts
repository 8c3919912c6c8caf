import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Citation, Engine, GapReason, ScanModels, Surface, Verdict } from '../../../../schema/values/visibility.ts'
import { visibilityAnswers as answers, visibilityScans as scans } from '../../../../schema/visibility.ts'
import { statement } from '../../../platform/db/statement.ts'
import { update } from '../../../platform/db/write-parts.ts'
import type { ScanTotals } from '../counts.ts'
import { freed } from './hand-statements.ts'

const UNAUDITED = 'a step of a scan whose begin is audited; its rows say what was asked'

/** Record of a settled question. */
export type Settled = {
  state: Verdict
  reason: GapReason | null
  text: string | null
  citations: Citation[]
  model: string | null
  surface: Surface | null
  location: string | null
  costUsd: number
}

const isOpen = (id: number): SQL => sql`${and(eq(answers.id, id), eq(answers.state, 'open'))}`

/** Keeps what came of a question. Costs of tries before are kept too. Nothing when it is settled already. */
export const settleQuestion = (id: number, { costUsd, ...settled }: Settled, now: Date): SQL => {
  const changes = { ...settled, costUsd: sql`${answers.costUsd} + ${costUsd}::float8`, notBefore: null, askedAt: now }
  const kept = update('kept', answers, changes, { where: isOpen(id), returning: { id: answers.id } })
  return statement({ unaudited: UNAUDITED, parts: [kept, freed(kept)], answer: { id: kept.c.id } })
}

/** Leaves a question open, to be asked again at a later moment. */
export const putOff = (id: number, tries: number, until: Date, costUsd: number): SQL => {
  const changes = {
    tries,
    notBefore: until,
    handedAt: null,
    taskTag: null,
    taskId: null,
    costUsd: sql`${answers.costUsd} + ${costUsd}::float8`,
  }
  const kept = update('kept', answers, changes, { where: isOpen(id), returning: { id: answers.id } })
  return statement({ unaudited: UNAUDITED, parts: [kept, freed(kept)], answer: { id: kept.c.id } })
}

/** Settles every open question of a scan to one engine as a gap. */
export const leaveGaps = (scanId: number, engine: Engine, reason: GapReason, now: Date): SQL => {
  const left = update(
    'left_open',
    answers,
    { state: 'no_data', reason, notBefore: null, askedAt: now },
    {
      where: sql`${and(eq(answers.scanId, scanId), eq(answers.engine, engine), eq(answers.state, 'open'))}`,
      returning: { id: answers.id },
    },
  )
  return statement({ unaudited: UNAUDITED, parts: [left, freed(left)], answer: { id: left.c.id } })
}

/** Ends a scan with what it adds up to. Nothing when it has ended, or a question is open. */
export const endScan = (
  scanId: number,
  totals: ScanTotals,
  models: ScanModels,
  error: string | null,
  sandbox: boolean,
  now: Date,
): SQL => {
  const ended = update(
    'ended',
    scans,
    { ...totals, models, state: error === null ? 'completed' : 'failed', error, sandbox, finishedAt: now },
    {
      where: sql`${and(eq(scans.id, scanId), eq(scans.state, 'running'))}
        and not exists (select 1 from ${answers} where ${and(eq(answers.scanId, scanId), eq(answers.state, 'open'))})`,
      returning: { id: scans.id },
    },
  )
  return statement({ unaudited: UNAUDITED, parts: [ended], answer: { id: ended.c.id } })
}
