import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Command, type Commands, type Kind, pathNames } from './operation.ts'
import { UsageError, unread } from './usage-error.ts'

/** Options of every command. No field of an operation has one of these names. */
export const COMMON = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  all: { type: 'boolean' },
  data: { type: 'string' },
  service: { type: 'string' },
  key: { type: 'string' },
  idempotency_key: { type: 'string' },
  if_match: { type: 'string' },
} as const

/** Values of the options that every command has. */
export type Common = {
  json?: boolean
  help?: boolean
  all?: boolean
  data?: string
  service?: string
  key?: string
  idempotency_key?: string
  if_match?: string
}

/** Arguments of a call, as the client takes them. */
export type CallArguments = { path: Record<string, string>; query: Record<string, unknown>; body?: unknown }

/** Returns an option's value, or the text of the file it names: `@article.html`. `@@` begins a text with one `@`. */
const textOf = (value: string): string => {
  if (value.startsWith('@@')) return value.slice(1)
  if (!value.startsWith('@')) return value
  const file = value.slice(1)
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (cause) {
    throw new UsageError(`${unread(file, cause)} To send a text that begins with @, write @@.`, { cause })
  }
}

const jsonOf = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`--${name} is not JSON: ${text.slice(0, 80)}`, { cause })
  }
}

const convert = (name: string, kind: Kind, given: string): unknown => {
  const text = textOf(given)
  if (kind === 's') return text
  if (text === 'null') return null
  if (kind === 'l') return text.startsWith('[') ? jsonOf(name, text) : text.split(',').map((one) => one.trim())
  if (kind === 'j') return /^\s*[[{]/.test(text) ? jsonOf(name, text) : text
  if (kind === 'b' && text !== 'true' && text !== 'false') throw new UsageError(`--${name} must be true or false.`)
  if (kind === 'n' && !Number.isFinite(Number(text || Number.NaN))) throw new UsageError(`--${name} must be a number.`)
  return kind === 'b' ? text === 'true' : Number(text)
}

const isFlag = (name: string): boolean =>
  Object.hasOwn(COMMON, name) && COMMON[name as keyof typeof COMMON].type === 'boolean'

/** Returns the arguments with the names of fields (`--project_id` for `--project-id`), and a value for each boolean. */
const spelledOut = (args: string[], booleans: ReadonlySet<string>): string[] => {
  const out: string[] = []
  for (let n = 0; n < args.length; n += 1) {
    const [, name, value] = /^--([\w-]+)(=[\s\S]*)?$/.exec(args[n] ?? '') ?? []
    if (name === undefined) {
      out.push(args[n] ?? '')
      continue
    }
    const field = name.replaceAll('-', '_')
    const negated = field.replace(/^no_/, '')
    const next = args[n + 1] ?? ''
    if (value !== undefined) out.push(`--${field}${value}`)
    else if (field !== negated && booleans.has(negated)) out.push(`--${negated}=false`)
    else if (isFlag(field)) out.push(`--${field}`)
    else if (!booleans.has(field)) {
      // A value may begin with a dash.
      out.push(args[n + 1] === undefined ? `--${field}` : `--${field}=${next}`)
      n += 1
    } else if (next === 'true' || next === 'false') {
      out.push(`--${field}=${next}`)
      n += 1
    } else out.push(`--${field}=true`)
  }
  return out
}

/** Parses the options of a command and those of every command. Throws UsageError. */
export const parseOptions = (args: string[], fields: Readonly<Record<string, Kind>>) => {
  const booleans = new Set(Object.keys(fields).filter((name) => fields[name] === 'b'))
  const options = { ...Object.fromEntries(Object.keys(fields).map((name) => [name, { type: 'string' as const }])) }
  try {
    const { values, positionals } = parseArgs({
      args: spelledOut(args, booleans),
      options: { ...options, ...COMMON },
      allowPositionals: true,
    })
    return { values: values as Common & Record<string, string | undefined>, positionals }
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('. To specify')[0] ?? '') : String(error)
    const names = [...Object.keys(fields), ...Object.keys(COMMON)].map((name) => `--${name.replaceAll('_', '-')}`)
    throw new UsageError(`${message}. This command takes ${names.join(', ')}.`)
  }
}

/** Returns the operation that the words name (`articles publish` or `articles.publish`), and the arguments after it. */
export const commandOf = (commands: Commands, args: string[]): { id: string; rest: string[] } | undefined => {
  for (const count of [3, 2, 1]) {
    const words = args.slice(0, count)
    if (words.length < count || words.some((word) => word.startsWith('-'))) continue
    const id = words.join('.').replaceAll('-', '_')
    if (Object.hasOwn(commands, id)) return { id, rest: args.slice(count) }
  }
  return undefined
}

/** Returns the call that a command's arguments describe. Throws UsageError. */
export const parseCommand = (
  id: string,
  { path, query = {}, body = {} }: Command,
  args: string[],
): { common: Common; call: CallArguments } => {
  const { values, positionals } = parseOptions(args, { ...body, ...query })
  const names = pathNames(path)
  const usage = `galley ${id}${names.map((name) => ` <${name}>`).join('')}`
  if (!values.help && positionals.length !== names.length) {
    const first = names.length === 0 ? 'options alone' : `${names.join(', ')} first, then options`
    const given = positionals.length === 0 ? 'nothing' : positionals.join(' ')
    throw new UsageError(`${usage} takes ${first} (--name value). Given before them: ${given}.`)
  }
  const pick = (fields: Readonly<Record<string, Kind>>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, kind]) => {
        const value = values[name]
        return value === undefined ? [] : [[name, convert(name, kind, value)]]
      }),
    )
  const sent = pick(body)
  const given = values.data === undefined ? undefined : jsonOf('data', textOf(values.data))
  const isObject = typeof given === 'object' && given !== null
  const whole = given === undefined || isObject ? { ...(given ?? {}), ...sent } : given
  const hasBody = given !== undefined || Object.keys(sent).length > 0
  return {
    common: values,
    call: {
      path: Object.fromEntries(names.map((name, n) => [name, positionals[n] ?? ''])),
      query: pick(query),
      ...(hasBody ? { body: whole } : {}),
    },
  }
}
