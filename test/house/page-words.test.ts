import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'

/** Words that owners did not understand, with the ones to use. */
const UNCLEAR = [
  [/\bovertaken\b/i, 'replaced'],
  [/\bcut off\b/i, 'not connected'],
  [/\bwithin noise\b/i, 'no clear change'],
  [/\bsigning secret\b/i, 'the secret with which your site checks messages'],
  [/\bnumber of the account\b/i, 'account ID'],
] as const

const files = readdirSync(join(ROOT, 'src/pages'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.tsx?$/.test(name) && !name.includes('generated'),
)

const textOf = (name: string): string =>
  readFileSync(join(ROOT, 'src/pages', name), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

it.each(UNCLEAR)('no page says %s; it says “%s”', (unclear) => {
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((name) => unclear.test(textOf(name)))).toEqual([])
})
