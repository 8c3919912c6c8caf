import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { bundledCommandLine, COMMAND_LINE } from '../client/command-line.ts'
import { CLIENT } from '../client/description.ts'
import { generatedClient, isClientCurrent } from '../client/generate.ts'
import { referencePages, withoutAnswer } from '../docs/pages.ts'
import { browserFiles } from './browser.ts'
import { generatedModules } from './modules.ts'

const write = (files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    writeFileSync(join(ROOT, path), text)
    process.stdout.write(`${path}\n`)
  }
}

/** Runs new examples, then writes the generated files and reference pages. Returns the exit code. */
export const generate = (): number => {
  // The examples run against a stack that routes new operations, so the modules come first.
  write({ ...generatedModules(), ...browserFiles() })
  const waiting = withoutAnswer()
  if (waiting.length > 0 || process.argv.includes('--record')) {
    process.stdout.write(`Running the examples${waiting.length > 0 ? `, for ${waiting.join(', ')}` : ''} …\n`)
    const vitest = ['run', '--project', 'docs', 'test/docs/examples.test.ts']
    const { status } = spawnSync(join(ROOT, 'node_modules/.bin/vitest'), vitest, {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, RECORD_EXAMPLES: '1' },
    })
    if (status !== 0) return 1
    spawnSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', 'scripts/docs/examples/answers.json'], {
      cwd: ROOT,
    })
    // This process read the answers before they were written, so another process makes the pages.
    return spawnSync(process.execPath, [join(ROOT, 'scripts/generate.ts')], { cwd: ROOT, stdio: 'inherit' }).status ?? 1
  }

  try {
    write(referencePages())
  } catch (error) {
    process.stderr.write(`Write first:\n${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
  if (!isClientCurrent()) write({ [CLIENT]: generatedClient() })
  write({ [COMMAND_LINE]: bundledCommandLine() })
  return 0
}
