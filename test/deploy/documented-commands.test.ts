import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { COMMANDS } from '../../scripts/admin/commands.ts'
import { COMMON, readArguments } from '../../scripts/admin/options.ts'
import { readOptions } from '../../scripts/deploy/options.ts'
import { CHECKED_PROVIDERS } from '../../src/platform/jobs/provider-check.ts'

const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts as Record<string, string>

/** Every command of a document: its script and its arguments. One that ends in … is a part of a command. */
const commandsIn = (file: string): [where: string, script: string, args: string[]][] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/npm run ((?:--silent )?[a-z:-]+)(?: -- ([^`\n|#;]*))?/g)].map(
    ([whole, script = '', args = '']) => [
      `${file}: ${whole.trim()}`,
      script.replace('--silent ', ''),
      args
        .trim()
        .split(/\s+/)
        .filter((word) => word !== '' && word !== '…'),
    ],
  )

const COMMANDS_NAMED = globSync('docs/operations/*.md', { cwd: ROOT })
  .flatMap(commandsIn)
  .filter(([, script]) => script !== '--silent')

it.each(COMMANDS_NAMED)('%s', (_, script, args) => {
  expect(Object.keys(scripts)).toContain(script)
  if (script === 'deploy') {
    const { only } = readOptions(args) ?? {}
    if (only !== undefined) expect(CHECKED_PROVIDERS).toContain(only)
  }
  if (script !== 'admin' || args[0] === undefined || args[0].startsWith('--')) return
  // A number or an account that the operator fills in.
  const given = args.map((arg) => (arg === 'N' ? '7' : arg))
  readArguments(given, ([noun = '', verb = '']) => {
    const command = COMMANDS[noun]?.[verb]
    if (!command) throw new Error(`There is no command ${noun} ${verb}.`)
    return [...command.options, ...COMMON]
  })
})
