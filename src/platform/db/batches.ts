/** Bounds of a clean-up: rows a statement, and statements a run. The rest follows in the next run. */
const BATCH = 1_000
const MAX_BATCHES = 20

/**
 * Deletes in batches, so that no statement holds many rows, until one finds less than a batch; how many went. `drop` deletes
 * at most as many as it is told, of each kind where it has several, and says how many it did in all.
 */
export const dropInBatches = async (drop: (most: number) => Promise<number>): Promise<number> => {
  let dropped = 0
  for (let n = 0; n < MAX_BATCHES; n += 1) {
    const gone = await drop(BATCH)
    dropped += gone
    if (gone < BATCH) break
  }
  return dropped
}
