import { reasonOf } from './database.ts'
import { soundAlarms } from './deploy/alarms/sound.ts'
import { applyPlan } from './deploy/apply.ts'
import { DeployFault } from './deploy/fault.ts'
import { writeSettingsFile } from './deploy/init.ts'
import { type Options, readOptions, USAGE } from './deploy/options.ts'
import { makePlan, planText } from './deploy/plan.ts'
import { prove } from './deploy/proof/prove.ts'
import { rollBack } from './deploy/rollback.ts'
import { statusText } from './deploy/status.ts'
import { refuseTrackedSecrets } from './deploy/tracked.ts'

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
  if (options.dryRun) return say('Nothing was changed. Without --dry-run this is done.')
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
  rollback: (options) => rollBack(options, process.env, say),
}

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2))
  if (!options) return say(USAGE.trimEnd())
  await COMMANDS[options.command](options)
}

const AGAIN =
  'Run the same command again: it goes on from where it stopped. docs/operations/deploy.md tells what each step does.'

main().catch((error: unknown) => {
  const [message, remedy] = error instanceof DeployFault ? [error.message, error.remedy] : [reasonOf(error), AGAIN]
  process.stderr.write(`${message}\n${remedy}\n`)
  process.exitCode = 1
})
