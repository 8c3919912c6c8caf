import { baseOf } from '../../../../schema/values/models.ts'
import {
  ENGINES,
  type Engine,
  type OfferedModel,
  type ScanModel,
  type ScanModels,
} from '../../../../schema/values/visibility.ts'

/** Returns the parts of a model's version: 5 and 4 for gpt-5.4-mini. A size such as 120b is no version. */
const versionOf = (name: string): number[] => {
  const [found = ''] = /(?<![\d.])\d+(?:\.\d+)*(?![\d.]|b\b)/.exec(baseOf(name)) ?? []
  return found === '' ? [] : found.split('.').map(Number)
}

const byVersion = (a: readonly number[], b: readonly number[]): number => {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const less = (a[at] ?? 0) - (b[at] ?? 0)
    if (less !== 0) return less
  }
  return 0
}

const wordsOf = (name: string): string[] => baseOf(name).split(/[^a-z]+/i)

/** Returns how many words of a name are in another, minus those that are not. */
const likeness = (name: string, other: string): number => {
  const among = new Set(wordsOf(other))
  return wordsOf(name).reduce((sum, word) => sum + (among.has(word) ? 1 : -1), 0)
}

/** Returns the date in a name. A name without one counts as the latest version. */
const datedAs = (name: string): string => (name === baseOf(name) ? '~' : name.slice(baseOf(name).length))

/**
 * Returns the newest model that searches the web, by the version in its name.
 *
 * Among equally new models, it prefers the name most like `like`, then the latest date, then the first in the list.
 */
const newest = (models: readonly OfferedModel[], like: string): OfferedModel | undefined =>
  models
    .filter(({ searches }) => searches)
    .toSorted(
      (a, b) =>
        byVersion(versionOf(b.name), versionOf(a.name)) ||
        likeness(b.name, like) - likeness(a.name, like) ||
        (datedAs(b.name) < datedAs(a.name) ? -1 : datedAs(b.name) > datedAs(a.name) ? 1 : 0),
    )[0]

/** Returns the listed model with this name, or else the latest dated version of the name. */
const listedAs = (name: string, models: readonly OfferedModel[]): OfferedModel | undefined =>
  models.find((model) => model.name === name) ??
  models.filter((model) => baseOf(model.name) === name).toSorted((a, b) => (a.name < b.name ? 1 : -1))[0]

/** Returns a model of which only the name is known. It is asked without flags that only some models accept. */
const unknown = (engine: Engine, name: string): OfferedModel => ({
  name,
  reasons: true,
  searches: true,
  queued: engine !== 'perplexity',
})

/** Chooses the model of a scan: the configured one if it is listed, else the newest that searches the web. */
export const chosenModel = (
  engine: Engine,
  configured: string,
  models: readonly OfferedModel[],
): { model: OfferedModel; isListed: boolean } => {
  const listed = listedAs(configured, models)
  return {
    model: listed ?? newest(models, configured) ?? unknown(engine, configured),
    isListed: listed !== undefined,
  }
}

type Row = { engine: Engine; model: string | null }

/** Returns the models of a scan, with the names of the models that answered, as they reported them. */
export const withAnswered = (models: ScanModels, rows: readonly Row[]): ScanModels =>
  Object.fromEntries(
    ENGINES.flatMap((engine): [Engine, ScanModel][] => {
      const names = new Set(rows.flatMap((row) => (row.engine === engine && row.model !== null ? [row.model] : [])))
      const answered = names.size > 0 ? { answered: [...names].sort().join(' ') } : {}
      const model = { ...models[engine], ...answered }
      return Object.keys(model).length > 0 ? [[engine, model]] : []
    }),
  )

/** True if an engine is known to have used different models in two scans. */
export const hasOtherModel = (engine: Engine, now: ScanModels, before: ScanModels): boolean => {
  const [a, b] = [now[engine], before[engine]]
  if (a?.answered !== undefined && b?.answered !== undefined) return a.answered !== b.answered
  return a?.asked !== undefined && b?.asked !== undefined && a.asked.name !== b.asked.name
}
