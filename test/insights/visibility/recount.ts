import type { StoredAnswer } from './scene.ts'

/**
 * A second way to the numbers, which shares nothing with the first: shares are summed answer by answer.
 *
 * The ends of an interval are found by trying (the p at which the share seen is 1.96 standard errors off), not by Wilson's
 * formula.
 */
const Z = 1.959963984540054

const endBetween = (from: number, to: number, share: number, n: number): number => {
  // At `from` the share seen is too far off, at `to` it is not.
  let [far, near] = [from, to]
  for (let step = 0; step < 200; step += 1) {
    const p = (far + near) / 2
    if (Math.abs(share - p) > Z * Math.sqrt((p * (1 - p)) / n)) far = p
    else near = p
  }
  return near
}

const intervalOf = (share: number, n: number, scale: number) =>
  n === 0 ? null : { low: endBetween(0, share, share, n) * scale, high: endBetween(1, share, share, n) * scale }

const worth: Record<string, number> = { cited: 1, mentioned: 0.5, not_cited: 0 }

const rateOf = (rows: readonly StoredAnswer[]) => {
  const values = rows.flatMap(({ state }) => (state in worth ? [worth[state] ?? 0] : []))
  const share = values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    answers: values.length,
    share,
    score: values.length === 0 ? 0 : Math.round((values.reduce((sum, value) => sum + value, 0) * 100) / values.length),
    interval: intervalOf(share, values.length, 100),
  }
}

/** Counts the citations of each business, by the host alone. */
const countHosts = (rows: readonly StoredAnswer[], hosts: readonly string[]): number => {
  let count = 0
  for (const { citations } of rows)
    for (const { url } of citations) {
      const { hostname } = new URL(url)
      if (hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))) count += 1
    }
  return count
}

export const recount = (rows: readonly StoredAnswer[], site: string, rivals: readonly string[]) => {
  const own = countHosts(rows, [site])
  const all = own + countHosts(rows, rivals)
  const share = all === 0 ? 0 : own / all
  return {
    ...rateOf(rows),
    citations: own,
    shareOfVoice: share,
    shareCitations: all,
    shareInterval: intervalOf(share, all, 1),
    cost: rows.reduce((sum, row) => sum + row.cost_usd, 0),
    ofEngine: (engine: string) => {
      const theirs = rows.filter((row) => row.engine === engine)
      return { ...rateOf(theirs), citations: countHosts(theirs, [site]) }
    },
  }
}
