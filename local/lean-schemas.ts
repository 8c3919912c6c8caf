import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { type Plugin, transform } from 'esbuild'
import { type Change, changed } from './changed.ts'

/** What a file takes of `src/lib/fields.ts`: functions, each of which makes a schema. */
const FIELDS = /^import \{([^}]*)\} from "[^"]*\/lib\/fields\.ts";$/m

/** A schema that is a value of its module, to the end of its statement: esbuild indents what stands inside of one. */
const schemaIn = (code: string): RegExp => {
  const makers = (FIELDS.exec(code)?.[1] ?? '').split(',').map((name) => name.trim())
  const start = ['z\\.', ...makers.filter(Boolean).map((name) => `${name}\\(`)].join('|')
  return new RegExp(`^((?:export )?const \\w+ = )((?:${start})[^]*?);\\n(?=$|[^\\s)\\]}])`, 'gm')
}

/** `z.catch` reads one function through a namespace of zod's, by which a bundle would hold all of them. */
const BY_NAME: Change = {
  what: 'the namespace it reads constantCatch from',
  pattern: /core\.util\.constantCatch/g,
  by: 'util.constantCatch',
}

/**
 * Schemas are made when they are first asked something: a Worker has up to sixty, its first answer needs one or two, and to make
 * them all while it starts takes a quarter of an empty Worker's start.
 */
export const leanSchemas = (root: string): Plugin => ({
  name: 'lean-schemas',
  setup: ({ onLoad }) => {
    const own = ['src', 'functions'].map((folder) => join(root, folder) + sep)
    const late = `import { late as lateSchema } from ${JSON.stringify(join(root, 'src/lib/late.ts'))};`
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]mini[\\/]schemas\.js$/ }, async ({ path }) => ({
      contents: changed(await readFile(path, 'utf8'), [BY_NAME], 'zod/mini', 'local/lean-schemas.ts'),
    }))
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!own.some((folder) => path.startsWith(folder))) return undefined
      const source = await readFile(path, 'utf8')
      if (!/zod\/mini|lib\/fields/.test(source)) return undefined
      const { code } = await transform(source, {
        ...{ loader: 'ts', format: 'esm', target: 'es2024' },
        ...{ sourcemap: 'inline', sourcefile: path },
      })
      const contents = code.replace(schemaIn(code), '$1/* @__PURE__ */ lateSchema(() => $2);\n')
      // On the first line, so that each one stays where the source map says.
      return contents === code ? undefined : { contents: late + contents }
    })
  },
})
