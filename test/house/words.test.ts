import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'

/** Words that usual ones say better, and the usual ones. */
const QUAINT: Record<string, string> = {
  anew: 'again',
  mend: 'fix, repair',
  mended: 'fixed, repaired',
  mends: 'fixes, repairs',
  mending: 'fixing, repairing',
  surely: 'certainly',
  stranger: "someone else's",
  strangers: 'others',
  whoever: 'anyone who',
  'in passing': 'for now',
  thereof: 'of it',
  hence: 'so',
  thus: 'so',
  till: 'until',
  upon: 'on',
  lest: 'so that … not',
  whence: 'from where',
  wherein: 'in which',
  therein: 'in it',
  wholly: 'completely',
  outright: 'directly',
  beforehand: 'before …',
  'in vain': 'without success',
  'of old': 'from before',
  'for ever': 'forever, without end',
  'told apart': 'distinguished',
}

const WORDS = new RegExp(`\\b(${Object.keys(QUAINT).join('|')})\\b`, 'gi')

const FOLDERS = [
  'src',
  'functions',
  'schema',
  'local',
  'scripts',
  'docs',
  'test',
  'examples',
  'integrations',
  'README.md',
  'CHANGELOG.md',
]

/** Lists of words, and this file. */
const EXEMPT = /(stop-words|house\/words\.test)\.ts$/

const filesIn = (...folders: string[]): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...folders], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => /\.(tsx?|mjs|sh|md|sql|toml|php)$/.test(path) && !EXEMPT.test(path))

/** Each quaint word in a text as `path:line: word: usual word`. */
const quaintIn = (path: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(WORDS)].map(([word]) => `${path}:${index + 1}: ${word}: ${QUAINT[word.toLowerCase()]}`),
    )

it('code and documents use plain words', () => {
  const files = filesIn(...FOLDERS)
  expect(files.length).toBeGreaterThan(300)
  expect(files.flatMap((path) => quaintIn(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
})

it('a quaint word is found in any spelling, and not inside another word', () => {
  expect(quaintIn('a.ts', 'recommend\n// Whoever mends it')).toEqual([
    'a.ts:2: Whoever: anyone who',
    'a.ts:2: mends: fixes, repairs',
  ])
})

/** Docstrings whose first paragraph has more than two lines, as `path:line`. */
const longIn = (path: string, text: string): string[] =>
  [...text.matchAll(/^[ \t]*\/\*\*\n((?:[ \t]*\*(?!\/).*\n)+)/gm)]
    .filter(
      ({ 1: lines = '' }) => (lines.split(/^[ \t]*\*[ \t]*\n/m)[0] ?? '').split(/\n(?=[ \t]*\* (?!- ))/).length > 2,
    )
    .map(({ index }) => `${path}:${text.slice(0, index).split('\n').length}`)

it('a docstring says in two lines what it is about; the rest stands after an empty line', () => {
  const files = filesIn(...FOLDERS).filter((path) => path.endsWith('.ts'))
  expect(files.flatMap((path) => longIn(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
})

it('a docstring of three lines is found, one with a paragraph behind it is not', () => {
  expect(longIn('a.ts', 'const a = 1\n/**\n * One.\n * Two.\n * Three.\n */')).toEqual(['a.ts:2'])
  expect(longIn('a.ts', '/**\n * One.\n * Two.\n *\n * Three.\n */\n/** One. */')).toEqual([])
})
