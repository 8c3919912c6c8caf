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
  'CONTRIBUTING.md',
  'SECURITY.md',
]

/** Lists of words, and this file. */
const EXEMPT = /(stop-words|browser-run\/consent|house\/words\.test)\.ts$/

const filesIn = (...folders: string[]): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...folders], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => /\.(tsx?|mjs|sh|md|sql|toml|php)$/.test(path) && !EXEMPT.test(path))

/** Returns each quaint word in a text as `path:line: word: usual word`. */
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

/** Words that begin a question, and no docstring: it begins with a verb or with the name of a thing. */
const QUESTION = /^(What|Whatever|Whether|Where|Who|Whose|Whom|How|When|Why|Which)\b/

const MAX_WORDS = 30

const sentencesOf = (text: string): string[] =>
  text
    .replaceAll(/`[^`]*`/g, 'code')
    .split(/\n\s*\n|\n(?=\s*[-|*\d])/)
    .flatMap((paragraph) => paragraph.replaceAll('\n', ' ').split(/(?<=[.!?])\s+/))
    // Tables and drawings are no sentences.
    .filter((sentence) => !/[|{]/.test(sentence))

const wordsIn = (sentence: string): number => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length

/** Faults of a docstring's text, without the marks of the comment. */
const faultsOf = (text: string): string[] => [
  ...(QUESTION.test(text) ? [`begins with ${text.split(/\s/)[0]}`] : []),
  ...((text.split(/\n\s*\n/)[0] ?? '').split(/\n(?!\s*- )/).length > 2
    ? ['has a first paragraph of over two lines']
    : []),
  ...sentencesOf(text)
    .filter((sentence) => wordsIn(sentence) > MAX_WORDS)
    .map((sentence) => `has a sentence of over ${MAX_WORDS} words: ${sentence.slice(0, 60)}`),
]

/** Faults of the docstrings in a file, as `path:line: fault`. */
const badIn = (path: string, text: string): string[] =>
  [...text.matchAll(/\/\*\*(?!\/)([\s\S]*?)\*\//g)].flatMap(({ 1: inner = '', index }) => {
    const lines = inner.split('\n').map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd())
    return faultsOf(lines.join('\n').trim()).map(
      (fault) => `${path}:${text.slice(0, index).split('\n').length}: ${fault}`,
    )
  })

it('a docstring begins with a verb or a noun, in two lines and short sentences', () => {
  const files = filesIn(...FOLDERS, 'packages', 'config', 'vitest.config.ts').filter(
    (path) => /\.(tsx?|mjs)$/.test(path) && !path.includes('generated'),
  )
  expect(files.length).toBeGreaterThan(1_000)
  expect(files.flatMap((path) => badIn(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
})

it.each([
  ['/** What a row has. */', ['a.ts:2: begins with What']],
  ['/**\n * One.\n * Two.\n * Three.\n */', ['a.ts:2: has a first paragraph of over two lines']],
  ['/** Returns the row. True if `what` is there. */', []],
  ['/**\n * One.\n * Two.\n *\n * Three.\n */', []],
])('of %j it says %j', (docstring, faults) => expect(badIn('a.ts', `const a = 1\n${docstring}`)).toEqual(faults))

it('a description of the API begins with a verb or a noun', () => {
  const described = readFileSync(join(ROOT, 'docs/reference/openapi.json'), 'utf8').matchAll(/"description": "([^"]*)/g)
  const texts = [...described].map(([, text = '']) => text)
  expect(texts.length).toBeGreaterThan(1_000)
  expect(texts.filter((text) => QUESTION.test(text))).toEqual([])
})

it('a docstring with a long sentence is found', () => {
  const sentence = `Returns ${'a word and '.repeat(11)}an end.`
  expect(badIn('a.ts', `/** ${sentence} */`)).toEqual([
    expect.stringMatching(/^a\.ts:1: has a sentence of over 30 words/),
  ])
  expect(badIn('a.ts', `/** ${sentence.replaceAll(' and', '.')} */`)).toEqual([])
})

/** Words that no field uses for the things here, and what the field calls them. */
const FOREIGN: Readonly<Record<string, string>> = {
  deed: 'action, audit entry',
  deeds: 'actions',
  outlook: 'forecast',
  purse: 'balance, locked account',
  purses: 'balances',
  telling: 'relevant, text',
  wish: 'setting',
  wishes: 'settings',
}

/** Returns the words of a name: `wishesOf`, `WISHES_OF` and `wishes-of` have the same. */
const wordsOfName = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

const foreignIn = (name: string): string[] => wordsOfName(name).filter((word) => Object.hasOwn(FOREIGN, word))

/** Names that a file declares with a foreign word, and its own name, as `path: name: word of the field`. */
const foreignNamesIn = (path: string, text: string): string[] =>
  [
    path,
    ...[...text.matchAll(/\b(?:const|let|function|type|class) ([A-Za-z_$][\w$]*)/g)].map(([, name = '']) => name),
  ].flatMap((name) => foreignIn(name).map((word) => `${path}: ${name}: ${FOREIGN[word]}`))

it('files, functions and types have the names of the field', () => {
  const files = filesIn('src', 'functions', 'schema', 'local', 'scripts', 'test', 'packages').filter((path) =>
    /\.tsx?$/.test(path),
  )
  expect(files.flatMap((path) => foreignNamesIn(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
})

it('a foreign name is found in any spelling, and not inside another word', () => {
  expect(foreignNamesIn('src/a/outlook.ts', 'const wishesOf = 1\ntype Indeed = 2\nconst NEW_DEEDS = 3')).toEqual([
    'src/a/outlook.ts: src/a/outlook.ts: forecast',
    'src/a/outlook.ts: wishesOf: settings',
    'src/a/outlook.ts: NEW_DEEDS: actions',
  ])
})
