import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installed } from '../../support/installed.ts'
import type { KeyAgent } from './agent.ts'
import { startModel } from './model.ts'
import { argumentsIn, blocksOf } from './page.ts'
import { run, succeed } from './run.ts'

const COMMAND = installed('@google/gemini-cli/bundle/gemini.js')

/** Gemini CLI in a folder that the person trusts, with a stand-in for its model. */
export const gemini: KeyAgent = async (mcpUrl, key) => {
  const home = mkdtempSync(join(tmpdir(), 'galley-gemini-'))
  const cwd = join(home, 'work')
  mkdirSync(cwd)
  mkdirSync(join(home, '.gemini'))
  writeFileSync(
    join(home, '.gemini/settings.json'),
    JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    }),
  )
  writeFileSync(join(home, '.gemini/trustedFolders.json'), JSON.stringify({ [cwd]: 'TRUST_FOLDER' }))
  const model = await startModel()
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    GEMINI_API_KEY: 'nobody',
    GOOGLE_GEMINI_BASE_URL: model.url,
  }
  const running = { env, cwd }
  await succeed(process.execPath, [COMMAND, ...argumentsIn(blocksOf('Gemini CLI', mcpUrl, key)[0] ?? '')], running)
  const asked = [COMMAND, '-p', 'Do it.', '--yolo', '--model', 'gemini-2.5-flash']
  return {
    tools: model.offered,
    call: (tool, args) => model.call(tool, args, () => run(process.execPath, asked, running)),
    close: async () => {
      await model.close()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
