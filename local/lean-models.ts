import { readFile } from 'node:fs/promises'
import { type Plugin, transform } from 'esbuild'
import { type Change, changed } from './changed.ts'

/** zod as its parts, of which a bundle holds those that are used: by its name `z` it would hold all. */
const ZOD_BY_PARTS: Change = {
  what: 'its import of zod',
  pattern: /^import \{ z \} from "zod\/v4";$/m,
  by: 'import * as z from "zod/v4";',
}

/** What a provider can do besides answering a prompt: tools, files, batches. The writer calls a model and nothing else. */
const ANTHROPIC: readonly Change[] = [
  ZOD_BY_PARTS,
  {
    what: 'models that decide and extract',
    pattern: /^ {2}provider\.(?:decision|extraction)Model = [\s\S]*?\}\);\n/gm,
    by: '',
  },
  { what: 'models that evaluate', pattern: /^ {2}provider\.evaluationModel = .*\n/m, by: '' },
  {
    what: 'its tools, files, skills and batches',
    pattern: /^ {2}provider\.(?:tools|skills|experimental_batch) = .*\n|^ {2}provider\.files = [\s\S]*?\}\);\n/gm,
    by: '',
  },
  {
    what: 'a provider made from the environment as it loads',
    pattern: /^const anthropic = createAnthropic\(\);$/m,
    by: 'const anthropic = /* @__PURE__ */ createAnthropic();',
  },
]

const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  '@ai-sdk/anthropic': ANTHROPIC,
  '@ai-sdk/openai-compatible': [ZOD_BY_PARTS],
}

/** Vercel's gateway answers for models that are named by a text. Ours are objects, so none of its errors can come either. */
const NO_GATEWAY = `
const refuse = () => { throw new Error('the gateway is not in the bundle: see local/lean-models.ts') }
class Never extends Error { static isInstance() { return false } }
export { refuse as createGateway, refuse as gateway, Never as GatewayAuthenticationError, Never as GatewayError }`

/** Leaves out of bundles what of the language models' library the writer does not use. Throws where a package is built in another way. */
export const leanModels: Plugin = {
  name: 'lean-models',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]@ai-sdk[\\/](?:anthropic|openai-compatible)[\\/]dist[\\/]index\.js$/ }, async ({ path }) => {
      const name = Object.keys(CHANGES).find((one) => path.replaceAll('\\', '/').includes(`/${one}/`)) ?? ''
      // Printed by esbuild, each statement stands on lines of its own.
      const { code } = await transform(await readFile(path, 'utf8'), { format: 'esm', target: 'es2024' })
      return { contents: changed(code, CHANGES[name] ?? [], name, 'local/lean-models.ts') }
    })
    onLoad({ filter: /[\\/]@ai-sdk[\\/]gateway[\\/]dist[\\/]index\.js$/ }, () => ({ contents: NO_GATEWAY }))
  },
}
