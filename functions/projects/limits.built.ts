import { OPERATIONS } from '../../src/operations.ts'

/** How often a key may call each operation. */
export const LIMITS: readonly { operation: string; per_minute: number }[] = OPERATIONS.filter(
  (op) => op.group !== 'later',
).map(({ id, perMinute }) => ({ operation: id, per_minute: perMinute }))
