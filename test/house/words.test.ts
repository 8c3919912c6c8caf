import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../local/bundle.ts'

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

const FOLDERS = ['src', 'functions', 'schema', 'local', 'scripts', 'docs']

const filesIn = (...folders: string[]): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...folders], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => /\.(tsx?|mjs|sh|md|sql|toml)$/.test(path) && !path.endsWith('stop-words.ts'))

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
