import { existsSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { say } from './output.ts'

/** Field of the front matter with the file's own id. */
export const ID_FIELD = 'galley_id'

const MAX_REF = 200

/** Returns the folder of the repository that has a file; undefined if it is in none. */
const repositoryOf = (folder: string): string | undefined => {
  if (existsSync(join(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : repositoryOf(above)
}

/** Returns the path of a file from the root of its repository; without one, its folder's name and its own. */
export const pathInRepository = (file: string): string => {
  const path = resolve(file)
  const root = repositoryOf(dirname(path))
  const own = root === undefined ? join(basename(dirname(path)), basename(path)) : relative(root, path)
  return own.split(sep).join('/').slice(-MAX_REF)
}

/** Returns a file's text with its id in the front matter, which is added if there is none. */
export const withId = (text: string, head: string, id: string): string => {
  const line = `${ID_FIELD}: ${/^[\w./-]+$/.test(id) ? id : JSON.stringify(id)}`
  const end = /\r\n/.test(text) ? '\r\n' : '\n'
  if (head === '') return ['---', line, '---', text].join(end)
  const at = head.lastIndexOf('---')
  return `${head.slice(0, at)}${line}${end}${head.slice(at)}${text.slice(head.length)}`
}

/** Writes a file's id into the file. A file that cannot be written keeps its path as its id. */
export const saveId = (file: string, text: string, head: string, id: string): void => {
  try {
    writeFileSync(file, withId(text, head, id))
    say(`Wrote ${ID_FIELD} into ${file}, by which the article is found again`)
  } catch {
    say(`${file} could not be written, so its path is its id`)
  }
}

const PIECE = 8

/** Returns all pieces of eight letters of a text, without markup, spaces and punctuation. */
const piecesOf = (text: string): Set<string> => {
  const letters = text
    .replace(/<[^<>]*>|&[a-z]+;|\]\([^()\s]*\)/gi, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
  return new Set(Array.from({ length: Math.max(1, letters.length - PIECE + 1) }, (_, n) => letters.slice(n, n + PIECE)))
}

/** Share of the shorter text's pieces that an edited text keeps at least. */
const EDITED = 0.2

/** True if two texts are too different for one to be an edit of the other. */
export const isUnlike = (stored: string, sent: string): boolean => {
  if (stored === '') return false
  const [few, many] = [piecesOf(stored), piecesOf(sent)].sort((a, b) => a.size - b.size) as [Set<string>, Set<string>]
  const shared = [...few].filter((piece) => many.has(piece)).length
  return shared / few.size < EDITED
}

const plain = (text: string): string =>
  text
    .replace(/[*_`~]|\s+#+\s*$/g, '')
    .trim()
    .replace(/\s+/g, ' ')

const FIRST_HEADING = /^\s*(?:# +(.+)|(\S.*)\r?\n=+[ \t]*)(?:\r?\n|$)/

/** Returns the heading with which a Markdown text begins, and the text without it if it is the title. */
export const ownTitle = (text: string, title: string | undefined): { title: string | undefined; text: string } => {
  const [head, hash, underlined] = FIRST_HEADING.exec(text) ?? []
  const own = plain(hash ?? underlined ?? '')
  if (head === undefined || own === '') return { title, text }
  const isTitle = title === undefined || plain(title).toLowerCase() === own.toLowerCase()
  return isTitle ? { title: title ?? own, text: text.slice(head.length) } : { title, text }
}
