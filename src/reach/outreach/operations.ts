import * as z from 'zod/mini'
import { SUPPRESSION_KINDS } from '../../../schema/values/outreach.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { isoTime, label, noBlanks, rawText, text } from '../../platform/lib/fields.ts'
import { faultOfNames, faultOfRow, MAX_ROWS, ROW_LIMITS } from './rules.ts'

const filled = (max: number) => rawText(max).check(z.minLength(1))
const maybe = (max: number) => z.optional(z.nullable(rawText(max)))
const id = () => filled(128)

/**
 * Returns a check of the field names of a row. It must run before the schema of the object, which drops a name that cannot be
 * kept.
 */
const named = () =>
  z.transform((row: unknown, { issues }) => {
    const message = faultOfNames(row)
    if (message !== undefined) issues.push({ code: 'custom', input: row, message })
    return row
  })

/** Returns the schema of rows of one kind. Fields other than the known ones are kept as they are sent. */
const rows = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.optional(
    z
      .array(
        z.pipe(
          named(),
          z.looseObject({ id: id(), ...shape }).check(
            z.refine((row) => faultOfRow(row) === undefined, {
              error: ({ input }) => faultOfRow(input) ?? ROW_LIMITS,
            }),
          ),
        ),
      )
      .check(z.maxLength(MAX_ROWS)),
  )

/** Returns an optional date for kinds whose rows need none. If rows have it, the newer row wins. */
const dated = () => ({ updated_at: z.optional(isoTime()) })

const persons = () =>
  rows({
    full_name: rawText(500),
    headline: maybe(2_000),
    company: maybe(500),
    location: maybe(500),
    profile_url: z.optional(z.nullable(rawText(2_000).check(noBlanks()))),
    email: maybe(320),
    updated_at: isoTime(),
  })
const identities = () => rows({ person_id: id(), kind: filled(100), value: filled(500), ...dated() })
const leads = () => rows({ person_id: id(), campaign: maybe(500), stage: filled(100), updated_at: isoTime() })
const actions = () =>
  rows({
    person_id: id(),
    lead_id: z.optional(z.nullable(id())),
    kind: filled(100),
    at: isoTime(),
    outcome: maybe(2_000),
    ...dated(),
  })
const suppressions = () =>
  rows({ kind: label(SUPPRESSION_KINDS), value: filled(500), reason: maybe(2_000), ...dated() })

const SyncMirror = z.object({
  since: z.optional(z.nullable(text(500, 1))),
  persons: persons(),
  identities: identities(),
  leads: leads(),
  actions: actions(),
  suppressions: suppressions(),
})

const ErasePerson = z.object({ id: z.optional(id()), address: z.optional(text(500, 1)) }).check(
  z.refine(({ id: person, address }) => person !== undefined || address !== undefined, {
    error: 'send the id of a person, an address, or both',
  }),
)

export type SyncInput = z.infer<typeof SyncMirror>
export type EraseInput = z.infer<typeof ErasePerson>

/** Endpoints of the outreach mirror. */
export const outreachOperations = {
  entitlement: {
    id: 'outreach.entitlement',
    method: 'GET',
    path: '/outreach/entitlement',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns whether the account may sync an outreach mirror.',
    errors: ['beta_closed'],
  },
  sync: {
    id: 'outreach.sync',
    method: 'POST',
    path: '/outreach/sync',
    perMinute: 10,
    scope: 'write',
    summary:
      'Copies rows of your outreach database by their IDs, at most 1,000 of each kind. Repeated rows change nothing. Older rows never overwrite newer ones.',
    json: SyncMirror,
    errors: ['beta_closed', 'not_entitled'],
  },
  export: {
    id: 'outreach.export',
    method: 'GET',
    path: '/outreach/export',
    perMinute: 10,
    scope: 'read',
    summary:
      'Downloads the whole mirror as newline-delimited JSON, one row per line as it was sent. The last line has the kind `end`; without it, the export is incomplete.',
    produces: 'application/x-ndjson',
    errors: [],
  },
  erase: {
    id: 'outreach.erase',
    method: 'POST',
    path: '/outreach/erase',
    perMinute: 10,
    scope: 'write',
    summary:
      'Erases a person by ID or by address, with all their data. Only hashes are kept, so that a later sync does not restore the person.',
    json: ErasePerson,
    errors: [],
  },
} as const satisfies Operations
