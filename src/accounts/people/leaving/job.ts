import * as z from 'zod/mini'
import { declareJob } from '../../../platform/jobs/declare.ts'
import { id } from '../../../platform/lib/fields.ts'
import { ERASE_JOB } from './tables.ts'

/** Erases an account whose time to take it back is over. */
export const eraseJob = declareJob({
  name: ERASE_JOB,
  payload: z.object({ account_id: id() }),
  key: 'erase_account',
  id: 'account_id',
})

/** Makes a copy of all an account has, and forgets it after some days. */
export const exportJob = declareJob({
  name: 'people.export_account',
  payload: z.object({ export_id: id() }),
  key: 'export_account',
  id: 'export_id',
})
