import * as z from 'zod/mini'
import { SUPPRESSION_KINDS } from '../../../schema/values/outreach.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { isoTime, label, means, noBlanks, rawText, text } from '../../platform/lib/fields.ts'
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
          z.looseObject({ id: means('Your own ID of the row.', id()), ...shape }).check(
            z.refine((row) => faultOfRow(row) === undefined, {
              error: ({ input }) => faultOfRow(input) ?? ROW_LIMITS,
            }),
          ),
        ),
      )
      .check(z.maxLength(MAX_ROWS)),
  )

/** Returns an optional date for kinds whose rows need none. If rows have it, the newer row wins. */
const dated = () => ({
  updated_at: means(
    'Time of the last change of the row. An older row never overwrites a newer one.',
    z.optional(isoTime()),
  ),
})

const persons = () =>
  rows({
    full_name: means('Full name.', rawText(500)),
    headline: means('Headline of their profile.', maybe(2_000)),
    company: means('Company.', maybe(500)),
    location: means('Location.', maybe(500)),
    profile_url: means('URL of their profile.', z.optional(z.nullable(rawText(2_000).check(noBlanks())))),
    email: means('Email address.', maybe(320)),
    updated_at: means('Time of the last change of the row. An older row never overwrites a newer one.', isoTime()),
  })
const identities = () =>
  rows({
    person_id: means('`id` of the person.', id()),
    kind: means('Kind of identity, such as `email` or `linkedin`.', filled(100)),
    value: means('Address or account name.', filled(500)),
    ...dated(),
  })
const leads = () =>
  rows({
    person_id: means('`id` of the person.', id()),
    campaign: means('Name of the campaign.', maybe(500)),
    stage: means('Stage of the lead.', filled(100)),
    updated_at: means('Time of the last change of the row. An older row never overwrites a newer one.', isoTime()),
  })
const actions = () =>
  rows({
    person_id: means('`id` of the person.', id()),
    lead_id: means('`id` of the lead.', z.optional(z.nullable(id()))),
    kind: means('Kind of action, such as `email_sent`.', filled(100)),
    at: means('Time of the action.', isoTime()),
    outcome: means('Outcome of the action.', maybe(2_000)),
    ...dated(),
  })
const suppressions = () =>
  rows({
    kind: means('Kind of `value`.', label(SUPPRESSION_KINDS)),
    value: means('Address, domain, or `id` of a person.', filled(500)),
    reason: means('Reason.', maybe(2_000)),
    ...dated(),
  })

const SyncMirror = z.object({
  since: means('Marker of your own, returned as `cursor`.', z.optional(z.nullable(text(500, 1))), 'the previous value'),
  persons: means('Persons, at most 1,000 rows. Other fields are stored as sent.', persons()),
  identities: means('Addresses and accounts of persons, at most 1,000 rows.', identities()),
  leads: means('Progress of persons in a campaign, at most 1,000 rows.', leads()),
  actions: means('Actions that were taken, at most 1,000 rows.', actions()),
  suppressions: means(
    'People who must not be contacted, at most 1,000 rows. A suppression cannot be removed.',
    suppressions(),
  ),
})

const ErasePerson = z
  .object({
    id: means('ID of the person. Send this, `address` or both.', z.optional(id())),
    address: means('Address of the person: email address, URL or phone number.', z.optional(text(500, 1))),
  })
  .check(
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
