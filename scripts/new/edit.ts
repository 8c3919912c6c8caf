import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ROOT } from '../../local/root.ts'

/** Text of each file to write, by its path. */
export type Files = Record<string, string>

/** Error that says what the command line lacks. */
export class BadName extends Error {}

/** Returns the text of a file. */
export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Returns the first file of a pattern that has a text. Throws `BadName` with `otherwise` if there is none. */
export const fileWith = (pattern: string, text: string, otherwise: string): string => {
  const found = globSync(pattern, { cwd: ROOT })
    .sort()
    .find((path) => textOf(path).includes(text))
  if (found === undefined) throw new BadName(otherwise)
  return found
}

/** Returns words in camel case: `published_at` as `publishedAt`. */
export const camel = (words: string): string => words.replace(/[._-](\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns words in Pascal case: `published_at` as `PublishedAt`. */
export const pascal = (words: string): string => camel(`_${words}`)

/** Returns the path from one file to another, as imports write it. */
export const pathTo = (from: string, to: string): string => {
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/** Returns a text with lines before the first `end` after `start`. Throws if the text has no such place. */
export const within = (text: string, start: string, end: string, lines: string): string => {
  const from = text.indexOf(start)
  const at = from < 0 ? -1 : text.indexOf(end, from + start.length)
  if (at < 0) throw new Error(`There is no ${JSON.stringify(end)} after ${JSON.stringify(start)}.`)
  return `${text.slice(0, at)}${lines}${text.slice(at)}`
}

/** Returns a text that also imports names from a module. `npm run format` sorts and joins the lines. */
export const importing = (text: string, from: string, to: string, names: readonly string[]): string => {
  const source = pathTo(from, to)
  const own = new RegExp(`import \\{([^}]*)\\} from '${source.replaceAll('.', '\\.')}'`)
  const found = own.exec(text)
  const has = new Set((found?.[1] ?? '').split(',').map((name) => name.trim()))
  const missing = names.filter((name) => !has.has(name))
  if (missing.length === 0) return text
  if (!found) return `import { ${missing.join(', ')} } from '${source}'\n${text}`
  const kept = (found[1] ?? '').trim().replace(/,$/, '')
  return text.replace(own, `import { ${kept}, ${missing.join(', ')} } from '${source}'`)
}

/** Returns the changelog with a line on top of the newest changes. */
export const withChange = (line: string): Files => {
  const path = 'CHANGELOG.md'
  return { [path]: textOf(path).replace('### Newest\n\n', `### Newest\n\n- ${line}\n`) }
}

/** Domain with a table of operations: its folder, the file and name of the table, and the path of its first operation. */
export type Domain = { folder: string; file: string; table: string; path: string }

/** Returns the domain whose operations have ids that begin with a word, such as `articles`. */
export const domainOf = (group: string): Domain => {
  const otherwise = `No operation has an id that begins with ${group}. The first word of the name is that of a domain: articles.count.`
  const file = fileWith('src/**/operations.ts', `id: '${group}.`, otherwise)
  const table = [...textOf(file).matchAll(/export const (\w+Operations) = \{[\s\S]*?\n\} as const satisfies/g)].find(
    ([block]) => block.includes(`id: '${group}.`),
  )
  const [block = '', name] = table ?? []
  if (name === undefined) throw new BadName(otherwise)
  const path = /path: '(\/[a-z-]+)/.exec(block)?.[1] ?? `/${group}`
  return { folder: dirname(file), file, table: name, path }
}

/** Returns the two words of a name such as `articles.count`. */
export const wordsIn = (name: string): [group: string, word: string] => {
  const [, group, word] = /^([a-z][a-z_]*)\.([a-z][a-z_]*)$/.exec(name) ?? []
  if (group === undefined || word === undefined)
    throw new BadName(`${name} is not a name: two words with a dot between them, such as articles.count.`)
  return [group, word]
}

/** Throws `BadName` if a file exists already. */
export const checkFree = (path: string): string => {
  if (globSync(path, { cwd: ROOT }).length > 0) throw new BadName(`${path} exists already. Choose another name.`)
  return path
}
