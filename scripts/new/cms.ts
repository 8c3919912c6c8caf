import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { TARGET_LISTS } from '../verify/targets.ts'
import { BadName, checkFree, type Files, pascal, textOf, withChange } from './edit.ts'

/** Adapters that a new one can begin as a copy of. The first is the usual one: a headless CMS with collections and a token. */
const MODELS = ['directus', 'ghost', 'strapi'] as const
type Model = (typeof MODELS)[number]

/** Tables with an entry for each CMS, or for some. */
const TABLES = [
  'schema/values/publishing.ts',
  'src/providers/platforms.ts',
  'src/providers/cms/states.ts',
  'src/providers/publishing.ts',
  'src/pages/settings/connect/fields.ts',
  'src/pages/docs/menu.ts',
]

type Rename = (text: string) => string

/** Returns a table with a copy of the model's entry and import, each after its own. */
const withEntry = (text: string, model: Model, rename: Rename): string =>
  text.replace(
    new RegExp(
      `^(import .*/${model}/.*| +['"]?${model}['"]?(?:,|: \\{\\n[\\s\\S]*?\\n  \\},|: .*,)| +entry\\('guides/${model}'.*)\\n`,
      'gm',
    ),
    (lines) => lines + rename(lines),
  )

/** Returns the page with a section of the new CMS after the model's: the table of its fields. */
const withSection = (text: string, model: Model, rename: Rename): string =>
  text.replace(new RegExp(`^## (${pascal(model)})\\n[\\s\\S]*?(?=^## )`, 'm'), (section, title: string) => {
    const fields = section.split('\n').filter((line) => line.startsWith('|'))
    const words = [`## ${title}`, '', 'Not tried with a real account yet.', '', ...fields, '', '']
    return section + rename(words.join('\n'))
  })

/** Returns a document that also has the new CMS in its list of targets: a row, a link or a word after the model's. */
const withWord = (text: string, model: Model, rename: Rename): string => {
  const title = pascal(model)
  const item = new RegExp(
    `^\\| \\[${title}\\]\\(${model}\\.md\\).*\\n|(?:\\[${title}\\]\\([a-z/]*${model}\\.md\\)|\\b${title}), `,
    'm',
  )
  return text.replace(item, (words) => words + rename(words))
}

/** Returns the model of a name. Throws `BadName` if there is none. */
const modelOf = (like: string): Model => {
  const model = MODELS.find((one) => one === like)
  if (!model) throw new BadName(`--like ${like} is not possible. Choose one of ${MODELS.join(', ')}.`)
  return model
}

/**
 * Returns the files of a new CMS adapter, such as `acme`: a working copy of another one with its stand-in, tests, guide and
 * words, under the new name.
 */
export const newCms = (name: string, like: string = MODELS[0]): Files => {
  if (!/^[a-z]+$/.test(name)) throw new BadName(`${name} is not a name: one word in lower case letters, such as acme.`)
  const model = modelOf(like)
  checkFree(`src/providers/cms/${name}`)
  const rename: Rename = (text) =>
    text
      .replaceAll(model, name)
      .replaceAll(pascal(model), pascal(name))
      .replaceAll(model.toUpperCase(), name.toUpperCase())
  const copied = globSync(
    [
      `src/providers/cms/${model}/*.ts`,
      `local/cms/${model}*.ts`,
      `test/providers/cms/${model}/*.ts`,
      `docs/guides/${model}.md`,
    ],
    { cwd: ROOT },
  )
  const page = 'docs/design/cms.md'
  const tables = TABLES.filter((path) => withEntry(textOf(path), model, rename) !== textOf(path))
  return {
    ...Object.fromEntries(
      copied.map((path) => [rename(path).replace(basename(path), rename(basename(path))), rename(textOf(path))]),
    ),
    ...Object.fromEntries(tables.map((path) => [path, withEntry(textOf(path), model, rename)])),
    ...Object.fromEntries(TARGET_LISTS.map((path) => [path, withWord(textOf(path), model, rename)])),
    [page]: withSection(textOf(page), model, rename),
    ...withChange(`Articles can be published to ${pascal(name)}.`),
  }
}
