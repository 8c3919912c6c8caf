/** Handles some rows after an id, in the order of their ids. Returns the id of the last one; null if no row is left. */
export type Part = (after: number) => Promise<number | null>

/** Place in the work: a part, and the id of the last row that it handled. */
export type Place<Name extends string> = { step: Name; after: number }

/** Time after which a run begins no batch, ms. */
const BUDGET_MS = 15_000

/** Returns the result of a part: the id after which it continues, or null if it read fewer rows than a batch has. */
export const lastOf = (rows: readonly { id: number }[], batch: number): number | null =>
  rows.length < batch ? null : (rows.at(-1)?.id ?? null)

/**
 * Handles all rows of the parts in order, in batches. Returns null at the end.
 *
 * When the time of a run is over, returns the place at which the next run continues.
 */
export const overRows = async <Name extends string>(
  now: () => Date,
  parts: Readonly<Record<Name, Part>>,
  from: Place<Name>,
): Promise<Place<Name> | null> => {
  const endsAt = now().getTime() + BUDGET_MS
  const steps = Object.keys(parts) as Name[]
  let after = from.after
  for (const step of steps.slice(steps.indexOf(from.step))) {
    for (let last: number | null = after; last !== null; last = await parts[step](after)) {
      after = last
      if (now().getTime() > endsAt) return { step, after }
    }
    after = 0
  }
  return null
}
