import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ROOT } from '../local/root.ts'
import { pluginNames } from '../src/providers/cms/wordpress/plugin.ts'
import { answerHelp } from './help.ts'
import { zip } from './zip.ts'

// The same source always makes the same bytes.
answerHelp(`Makes the zip of the WordPress plugin. SERVICE_NAME (default Galley) names it.

Usage: npm run build:wordpress [-- FILE]
`)

const SOURCE = join(ROOT, 'integrations/wordpress')
const service = process.env.SERVICE_NAME ?? 'Galley'
if (!/^[A-Za-z][A-Za-z0-9-]{0,31}$/.test(service)) throw new Error('SERVICE_NAME: letters, digits and hyphens.')
const { slug, identifier } = pluginNames(service)

/** Returns a source text under the service's name: identifiers with underscores, all other text as people write it. */
const named = (text: string): string =>
  text
    .replace(/GALLEY/g, identifier.toUpperCase())
    .replace(/Galley_/g, `${service.replaceAll('-', '_')}_`)
    .replace(/Galley/g, service)
    .replace(/galley_|_galley/g, (name) => name.replace('galley', identifier))
    .replace(/galley/g, slug)

const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()
  .map((path) => ({
    path: `${slug}/${named(relative(SOURCE, path))}`,
    bytes: Buffer.from(named(readFileSync(path, 'utf8'))),
  }))

const target = process.argv[2] ?? join(ROOT, '.galley', `${slug}.zip`)
mkdirSync(dirname(target), { recursive: true })
writeFileSync(target, zip(files))
console.log(target)
