// Loaded before every command. Node reads the names a package exports once more with each import of one of its modules (v24): of
// drizzle-orm that is 130 KB of JSON, 450 times, which takes a command 2.7 s of CPU and 270 MB before its first line runs. Here they are
// read once. Says nothing and changes nothing where Node cannot be asked (before 22.15 and 23.5) or the package is not there.
import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'

const NAME = 'drizzle-orm'
const folder = new URL(`../node_modules/${NAME}/`, import.meta.url)

/** The file of each name that is exported to `import`, relative to the package's folder. */
const readExports = () => {
  try {
    const { exports } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
    return new Map(Object.entries(exports).map(([name, { import: at }]) => [name, at?.default]))
  } catch {
    return new Map()
  }
}

/** Where a module of the package stands; undefined for every other one, and where Node is to say so itself. */
const placeOf = (specifier, { conditions, parentURL }, files) => {
  if (!conditions.includes('import')) return undefined
  if (specifier.startsWith('.')) return parentURL?.startsWith(folder.href) ? new URL(specifier, parentURL) : undefined
  if (specifier !== NAME && !specifier.startsWith(`${NAME}/`)) return undefined
  const file = files.get(`.${specifier.slice(NAME.length)}`)
  return file === undefined ? undefined : new URL(file, folder)
}

if (nodeModule.registerHooks) {
  const files = readExports()
  nodeModule.registerHooks({
    resolve: (specifier, context, next) => {
      const place = placeOf(specifier, context, files)
      return place ? { url: place.href, format: 'module', shortCircuit: true } : next(specifier, context)
    },
  })
}
