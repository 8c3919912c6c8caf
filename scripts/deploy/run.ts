import { reasonOf } from '../reason.ts'
import { soundAlarms } from './alarms/sound.ts'
import { applyPlan } from './apply.ts'
import { checkProviders } from './check-providers.ts'
import { DeployFault } from './fault.ts'
import { writeSettingsFile } from './init.ts'
import type { Options } from './options.ts'
import { makePlan, planText } from './plan.ts'
import { prove } from './proof/prove.ts'
import { rollBack } from './rollback.ts'
import { statusText } from './status.ts'
import { refuseTrackedSecrets } from './tracked.ts'

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const init = async ({ file, environment }: Options): Promise<void> => {
  refuseTrackedSecrets(file)
  writeSettingsFile(file)
  const env = environment === 'production' ? '' : ` --env ${environment}`
  say(`Wrote ${file}. Fill it in, then run: npm run deploy -- --dry-run${env}`)
}

const deploy = async (options: Options): Promise<void> => {
  say('Checking the accounts and building the Workers …')
  const plan = await makePlan(options, process.env, new Date())
  say(planText(plan))
  if (options.dryRun) return say('Nothing was changed. Without --dry-run, the plan is carried out.')
  await applyPlan(plan, process.env, say)
  if (options.proof) await prove(plan, say)
  say(`The service runs at ${plan.to.publicUrl}`)
}

const COMMANDS: Record<Options['command'], (options: Options) => Promise<void>> = {
  init,
  deploy,
  status: async (options) => say(await statusText(options, process.env, new Date())),
  alarms: async (options) => {
    if (!(await soundAlarms(options, process.env, new Date(), say))) process.exitCode = 1
  },
  'check-providers': async (options) => {
    if (!(await checkProviders(options, process.env, say))) process.exitCode = 1
  },
  rollback: (options) => rollBack(options, process.env, say),
}

const AGAIN = 'Run the same command again: it continues where it stopped. docs/operations/deploy.md explains each step.'

/** Runs a command of a deployment. Throws a DeployFault that says what to do. */
export const run = async (options: Options): Promise<void> => {
  try {
    await COMMANDS[options.command](options)
  } catch (error) {
    throw error instanceof DeployFault ? error : new DeployFault(reasonOf(error), AGAIN)
  }
}
