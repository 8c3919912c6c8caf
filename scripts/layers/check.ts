import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser'
import { AREAS, FILE_RULES, type FileRule, LAYERS } from './table.ts'

/** Folders whose files each have a place in the table. */
const FOLDERS = ['src', 'functions', 'schema', 'server']
const OURS = `^(${FOLDERS.join('|')})/`

const escaped = (text: string): string => text.replace(/[/.]/g, '\\$&')
const within = (folder: string): string => `^${escaped(folder)}(/|\\.ts$)`

/** Returns the pairs of folders that the table lets import each other. */
export const twoWayPairs = (layers: typeof LAYERS = LAYERS): string[] =>
  Object.entries(layers).flatMap(([folder, below]) =>
    below.filter((other) => folder < other && layers[other]?.includes(folder)).map((other) => `${folder} and ${other}`),
  )

const areaOf = (folder: string): number => AREAS.findIndex((area) => new RegExp(within(`src/${area}`)).test(folder))

/** Returns the entries of the table that let a domain import from a later area. */
export const upwardEntries = (layers: typeof LAYERS = LAYERS): string[] =>
  Object.entries(layers).flatMap(([folder, below]) =>
    areaOf(folder) < 0
      ? []
      : below.filter((other) => areaOf(other) > areaOf(folder)).map((other) => `${folder} → ${other}`),
  )

const layerRule = ([folder, below]: [string, readonly string[]]): IForbiddenRuleType => ({
  name: `layer ${folder}`,
  severity: 'error',
  comment: below.length === 0 ? 'It imports nothing of ours.' : `It may import ${below.join(', ')}.`,
  from: { path: within(folder) },
  to: { path: OURS, pathNot: [folder, ...below].map(within) },
})

const fileRule = ({ name, why, from, fromNot, to, toNot }: FileRule): IForbiddenRuleType => ({
  name,
  severity: 'error',
  comment: why,
  from: { path: from, ...(fromNot ? { pathNot: fromNot } : {}) },
  to: { path: to, ...(toNot ? { pathNot: toNot } : {}) },
})

const PLACED: IForbiddenRuleType = {
  name: 'every file has its place',
  severity: 'error',
  comment: 'The folder is not in the table of layers: give it its place there.',
  from: { path: OURS, pathNot: Object.keys(LAYERS).map(within) },
  to: {},
}

const NO_CYCLES: IForbiddenRuleType = {
  name: 'no cycles',
  severity: 'error',
  comment: 'Files that import each other cannot be read one after the other.',
  from: {},
  to: { circular: true },
}

/**
 * Compares the import graph of the service's code below `baseDir` with the table. Returns one line for each forbidden
 * import.
 */
export const brokenLayers = async (baseDir: string): Promise<string[]> => {
  const forbidden = [...Object.entries(LAYERS).map(layerRule), ...FILE_RULES.map(fileRule), PLACED, NO_CYCLES]
  const { output } = await cruise([...FOLDERS], {
    baseDir,
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    validate: true,
    ruleSet: { forbidden },
  })
  const { summary } = output as ICruiseResult
  const comments = new Map(forbidden.map(({ name, comment }) => [name, comment]))
  return summary.violations.map(
    ({ from, to, rule }) => `${from} → ${to}: ${rule.name}. ${comments.get(rule.name) ?? ''}`,
  )
}
