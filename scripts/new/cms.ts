import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { BadName, checkFree, type Files, pascal, textOf } from './edit.ts'

/** Adapter whose copy a new one begins as: one API, and a post of its own for each article. */
const MODEL = 'ghost'

/** Tables with an entry for each CMS. */
const TABLES = [
  'schema/values/publishing.ts',
  'src/providers/platforms.ts',
  'src/providers/cms/states.ts',
  'src/providers/publishing.ts',
  'src/publishing/connect/catalog.ts',
  'src/pages/settings/connect/fields.ts',
]

/** Returns a table with a copy of the model's entry and import, each after its own. */
const withEntry = (text: string, rename: (lines: string) => string): string =>
  text.replace(
    new RegExp(`^(import .*/${MODEL}/.*|  ['"]?${MODEL}['"]?(?:,|: \\{\\n[\\s\\S]*?\\n  \\},|: .*,))\\n`, 'gm'),
    (lines) => lines + rename(lines),
  )

/** Returns the page with a section of the new CMS after the model's: the table of its fields. */
const withSection = (text: string, rename: (lines: string) => string): string =>
  text.replace(new RegExp(`^## (${pascal(MODEL)})\\n[\\s\\S]*?(?=^## )`, 'm'), (section, title: string) => {
    const fields = section.split('\n').filter((line) => line.startsWith('|'))
    const words = [`## ${title}`, '', 'Not tried with a real account yet.', '', ...fields, '', '']
    return section + rename(words.join('\n'))
  })

/**
 * Returns the files of a new CMS adapter, such as `acme`: a working copy of an adapter with its stand-in, tests and
 * words, under the new name.
 */
export const newCms = (name: string): Files => {
  if (!/^[a-z]+$/.test(name)) throw new BadName(`${name} is not a name: one word in lower case letters, such as acme.`)
  checkFree(`src/providers/cms/${name}`)
  const rename = (text: string): string =>
    text
      .replaceAll(MODEL, name)
      .replaceAll(pascal(MODEL), pascal(name))
      .replaceAll(MODEL.toUpperCase(), name.toUpperCase())
  const copied = globSync(
    [`src/providers/cms/${MODEL}/*.ts`, `local/cms/${MODEL}*.ts`, `test/providers/cms/${MODEL}/*.ts`],
    {
      cwd: ROOT,
    },
  )
  const page = 'docs/design/cms.md'
  return {
    ...Object.fromEntries(
      copied.map((path) => [rename(path).replace(basename(path), rename(basename(path))), rename(textOf(path))]),
    ),
    ...Object.fromEntries(TABLES.map((path) => [path, withEntry(textOf(path), rename)])),
    [page]: withSection(textOf(page), rename),
  }
}
