import { SWEPT, sweep } from '../../src/platform/db/retention.ts'
import { systemDeps } from '../publishing/system.ts'
import type { Target } from './client.ts'

/** Deletes what is too old in a table, as the clock does every hour. Returns the number of rows. */
export const sweepTable = async (stack: Target, table: string, deps = systemDeps(stack)): Promise<number> => {
  let gone = 0
  for (const rule of SWEPT.filter((one) => one.table === table && one.sweep === undefined))
    gone += await sweep(deps, rule)
  return gone
}
