import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { ROOT } from '../../local/root.ts'
import { picture } from '../content/media/pictures.ts'
import type { SharedStack } from '../support/global.ts'

/** Fenced block of a document: its language, its text, and the file in which a reader saves it, if it has a name. */
export type Block = { language: string; text: string; file?: string }

/** Part of a tabbed page, or a whole page: what one reader runs from top to bottom. */
export type Way = { name: string; text: string; blocks: Block[] }

/** Languages whose blocks are programs, and how a reader runs a saved block. */
const PROGRAMS: Readonly<Record<string, string>> = { ts: 'node', js: 'node', python: 'python3', php: 'php' }
const ENDINGS: Readonly<Record<string, string>> = { ts: 'ts', js: 'mjs', python: 'py', php: 'php' }

/** True if a block of the language can be run. */
export const canRun = (language: string): boolean => language === 'sh' || Object.hasOwn(PROGRAMS, language)

/** Returns the fenced blocks of a Markdown text. */
export const blocksIn = (markdown: string): Block[] =>
  [...markdown.matchAll(/^ *```(\w*)(?: (\S+))?\n([\s\S]*?)^ *```/gm)].map(([, language = '', file, text = '']) => ({
    language,
    text,
    ...(file === undefined ? {} : { file }),
  }))

/** Returns the ways through a page. Alternatives are below third-level headings; what comes before them belongs to each. */
export const waysIn = (markdown: string, isTabbed: boolean): Way[] => {
  if (!isTabbed) return [{ name: 'page', text: markdown, blocks: blocksIn(markdown) }]
  const [before = '', ...tabs] = markdown.split(/^### /m)
  return tabs.map((tab) => {
    const [, name = ''] = /^(.*)\n/.exec(tab) ?? []
    const text = tab.split(/^## /m)[0] ?? ''
    return { name, text, blocks: [...blocksIn(before), ...blocksIn(text)] }
  })
}

/** Puts a reader's own values where the documents have examples. */
export const filled = (text: string, stack: SharedStack, key: string): string =>
  text
    .replaceAll('gly_live_…', key)
    .replaceAll('https://my-bakery.example/hook', `${stack.receiverUrl}/webhook`)
    .replaceAll('a-token-of-your-choice', stack.receiverToken)

/** Returns a folder with what a reader has: a picture, and the installed client. */
export const openFolder = async (): Promise<{ path: string; close: () => void }> => {
  const path = mkdtempSync(join(tmpdir(), 'galley-reader-'))
  writeFileSync(join(path, 'picture.png'), await picture({ width: 600, height: 400, format: 'png' }))
  const client = join(path, 'node_modules/galley-client')
  mkdirSync(client, { recursive: true })
  writeFileSync(join(client, 'package.json'), '{"name": "galley-client", "type": "module", "exports": "./index.js"}')
  buildSync({
    entryPoints: [join(ROOT, 'packages/client/src/index.ts')],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    outfile: join(client, 'index.js'),
  })
  return { path, close: () => rmSync(path, { recursive: true, force: true }) }
}

/** Returns a block as lines of a shell. A program is saved and run; one with a name is only saved, for the lines after it. */
const asShell = ({ language, text, file: name }: Block, n: number, folder: string): string => {
  if (language === 'sh') return text
  if (name !== undefined) {
    writeFileSync(join(folder, name), text)
    return ''
  }
  const file = `block-${n}.${ENDINGS[language]}`
  writeFileSync(join(folder, file), text)
  return `${PROGRAMS[language]} ${file}`
}

export type Ended = { code: number; out: string; err: string }

/**
 * Runs blocks from top to bottom in one shell, which ends at the first failure, or when the time is over. The key is typed where a
 * command asks for it.
 */
export const runBlocks = async (
  blocks: readonly Block[],
  folder: string,
  stack: SharedStack,
  key: string,
  timeout = 10 * 60_000,
) => {
  const lines = blocks
    .filter(({ language }) => canRun(language))
    .map((block, n) => asShell({ ...block, text: filled(block.text, stack, key) }, n, folder))
  const script = join(folder, 'run.sh')
  writeFileSync(script, `set -euo pipefail\n${lines.join('\n')}\n`)
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    GALLEY_URL: `${stack.url}/api/v1`,
    GALLEY_API_KEY: key,
  }
  const typed = join(folder, 'typed')
  writeFileSync(typed, `${key}\n`)
  const child = spawn('bash', [script], { env, cwd: folder, stdio: [openSync(typed, 'r'), 'pipe', 'pipe'], timeout })
  let [out, err] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk))
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk))
  const [code] = (await once(child, 'close')) as [number]
  return { code, out, err }
}
