import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import type { CommandRows, Kind } from '../../packages/cli/src/operation.ts'
import { ARTICLE_FIELDS, FRONT_MATTER, LIVE_COLUMNS } from '../../src/content/articles/fields.ts'
import { inputOf } from '../../src/mcp/arguments.ts'
import type { Call, Calls } from '../../src/mcp/call.ts'
import { GROUPS, type GroupedOperation, OPERATIONS } from '../../src/operations.ts'
import { assetPath } from '../../src/pages/assets.ts'
import { fieldNames } from '../../src/platform/http/ignored.ts'
import { inputSchemas, type JsonSchema } from '../../src/platform/http/json-schemas.ts'
import {
  acceptsDryRun,
  bySpecificity,
  type CallableOperation,
  DRY_RUN,
  headlineOf,
} from '../../src/platform/http/operation.ts'
import { CONNECT, platformForms, takesPlatformFields } from '../docs/platform-fields.ts'
import { pinyinModule } from './pinyin.ts'

/** Operation as the gateway knows it: its path and its Worker. `isBare`: a read without required query fields. */
type Routed = Pick<GroupedOperation, 'method' | 'path' | 'worker'> & { isBare: boolean }

/** Returns the version of the service. */
const version = (): string =>
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version

/** Returns the stylesheet of all pages. */
const styles = (): string => readFileSync(join(ROOT, 'functions/pages/assets/style.css'), 'utf8')

/** Returns every path below `/api/v1`, aliases included, in the order to match them, with its operations. */
const routes = (): [path: string, operations: Routed[]][] => {
  const paths = new Map<string, Routed[]>()
  for (const { method, path: own, aliases = [], worker, query } of OPERATIONS) {
    const isBare = method === 'GET' && (query === undefined || query.safeParse({}).success)
    for (const path of [own, ...aliases])
      paths.set(path, [...(paths.get(path) ?? []), { method, path: own, worker, isBare }])
  }
  return [...paths].sort(([a], [b]) => bySpecificity(a, b))
}

/** Returns the data with which callers plan: how each operation is called, how often, and its cost. */
const callable = (): CallableOperation[] =>
  OPERATIONS.map(({ id, method, path, aliases = [], perMinute, scope, costs = [], typicalSeconds = 1 }) => ({
    operation: id,
    method,
    paths: [path, ...aliases],
    perMinute,
    scope,
    costs,
    seconds: typicalSeconds,
  }))

/** True if an operation reads fields that its schema does not name, such as those of a platform. */
const isOpen = ({ id }: GroupedOperation): boolean => takesPlatformFields(id) || id === 'social.connect'

const callOf = (op: GroupedOperation): Call => ({
  id: op.id,
  method: op.method,
  path: op.path,
  worker: op.worker,
  scope: op.scope,
  summary: op.summary,
  acceptsBody: op.json !== undefined && op.bodyOptional !== true,
  queryNames: fieldNames(op.query) ?? [],
  input: inputOf(op),
  isOpen: isOpen(op),
  takesRevision: op.ifMatch === true && op.path.startsWith('/articles/'),
})

/** Returns every implemented operation, by method and path. */
const calls = (): Calls =>
  Object.fromEntries(
    OPERATIONS.filter(({ group }) => Object.hasOwn(GROUPS, group)).map((op) => [`${op.method} ${op.path}`, callOf(op)]),
  )

/** Returns the kind of a field for the command line: the simplest form that the operation accepts. */
const kindOf = (schema: JsonSchema): Kind => {
  const forms = (schema.anyOf ?? schema.oneOf ?? [schema]) as JsonSchema[]
  const types = new Set(forms.flatMap(({ type }) => type ?? []))
  const list = forms.find(({ type }) => [type].flat().includes('array'))
  if (list) {
    const items = (list.items ?? {}) as JsonSchema
    return items.type === 'object' || items.anyOf ? 'j' : 'l'
  }
  if (types.has('object')) return 'j'
  if (types.has('boolean')) return 'b'
  return types.has('integer') || types.has('number') ? 'n' : 's'
}

const kindsOf = (schema: JsonSchema | undefined): Record<string, Kind> =>
  Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([name, one]) => [name, kindOf(one as JsonSchema)]))

/** Returns the fields of a body. For connecting a platform, it has the fields of all platforms. */
const bodyKinds = (op: GroupedOperation, body: JsonSchema): Record<string, Kind> => ({
  ...kindsOf(body),
  ...Object.assign({}, ...(op.id === CONNECT ? platformForms() : []).map(({ schema }) => kindsOf(schema))),
})

const fieldList = (kinds: Readonly<Record<string, string>>): string =>
  Object.entries(kinds)
    .map(([name, kind]) => `${name}:${kind}`)
    .join(' ')

/** Returns the fields that many operations have: a dry run, the paging of lists, and the settings of a project. */
const sharedFields = () => {
  const settings = inputSchemas(OPERATIONS.find(({ id }) => id === 'projects.update') as GroupedOperation)
  return { d: `${DRY_RUN}:b`, p: 'limit:n offset:n before_id:n', s: fieldList(kindsOf(settings.body)) }
}

/** Longest headline in the list of commands, which the size of the command line bounds. */
const MOST_WORDS = 60

/** Returns a headline, without what follows its last comma within the bound if it is longer. */
const briefly = (headline: string): string => {
  const at = headline.length > MOST_WORDS ? headline.lastIndexOf(', ', MOST_WORDS) : -1
  return at < 20 ? headline : headline.slice(0, at)
}

/** Returns every operation as a row of the command line. */
const commandRows = (shared: Record<string, string>): CommandRows =>
  Object.fromEntries(
    OPERATIONS.map((op): [string, CommandRows[string]] => {
      const { query: schema, body } = inputSchemas(op)
      const query = { ...kindsOf(schema), ...(acceptsDryRun(op) ? { [DRY_RUN]: 'b' as const } : {}) }
      const short = (kinds: Record<string, Kind>) =>
        Object.entries(shared).reduce((list, [letter, some]) => list.replace(some, `@${letter}`), fieldList(kinds))
      const fields = body ? ([short(query), short(bodyKinds(op, body))] as const) : ([short(query)] as const)
      return [op.id, [`${op.method} ${op.path}`, briefly(headlineOf(op)), ...fields]]
    }),
  )

/** Returns a list or an object as JSON with one row a line, so that a change of a row changes one line. */
const rowsText = (value: object): string => {
  const isList = Array.isArray(value)
  const rows = Object.entries(value).map(
    ([key, row]) => `  ${isList ? '' : `${JSON.stringify(key)}: `}${JSON.stringify(row)},`,
  )
  return [isList ? '[' : '{', ...rows, isList ? ']' : '}'].join('\n')
}

/** Returns the text of a module that exports one list or object of a type from its imports. */
const moduleText = (imports: string, name: string, type: string, value: object): string =>
  [
    `// Written by \`npm run generate\` from src/operations.ts. Do not edit.`,
    imports,
    `export const ${name}: ${type} = ${rowsText(value)}`,
    '',
  ].join('\n')

/**
 * Returns the text of each generated module by its path.
 *
 * The modules have small tables made from the operations, so that a Worker that needs one does not bundle
 * every schema.
 */
export const generatedModules = (): Record<string, string> => ({
  'src/content/seo/pinyin.generated.ts': pinyinModule(),
  'src/platform/lib/version.generated.ts': `// Written by \`npm run generate\` from package.json. Do not edit.
export const VERSION = '${version()}'
`,
  'src/pages/style.generated.ts': `// Written by \`npm run generate\` from functions/pages/assets/style.css. Do not edit.
/** Address of the stylesheet of all pages. */
export const STYLES = '${assetPath('style', styles(), 'css')}'
`,
  'functions/gateway/routes.generated.ts': moduleText(
    `import type { GroupedOperation } from '../../src/operations.ts'

type Routed = Pick<GroupedOperation, 'method' | 'path' | 'worker'> & { isBare: boolean }
`,
    'ROUTES',
    'readonly (readonly [path: string, operations: readonly Routed[]])[]',
    routes(),
  ),
  'packages/cli/src/operations.generated.ts': [
    moduleText(
      "import type { CommandRows, SharedFields } from './operation.ts'\n",
      'SHARED',
      'SharedFields',
      sharedFields(),
    ),
    `export const ROWS: CommandRows = ${rowsText(commandRows(sharedFields()))}\n`,
  ].join('\n'),
  'functions/projects/operations.generated.ts': moduleText(
    "import type { CallableOperation } from '../../src/platform/http/operation.ts'\n",
    'CALLABLE',
    'readonly CallableOperation[]',
    callable(),
  ),
  'packages/cli/src/article-fields.generated.ts': [
    '// Written by `npm run generate` from src/content/articles/fields.ts. Do not edit.',
    '/** Fields of an article that front matter may set. */',
    `export const FRONT_MATTER: readonly string[] = ${rowsText(FRONT_MATTER)}`,
    '',
    '/** Fields of a published article that can change. */',
    `export const LIVE_FIELDS: readonly string[] = ${rowsText(LIVE_COLUMNS.map((column) => ARTICLE_FIELDS[column].name))}`,
    '',
  ].join('\n'),
  'src/mcp/calls.generated.ts': moduleText("import type { Calls } from './call.ts'\n", 'CALLS', 'Calls', calls()),
})
