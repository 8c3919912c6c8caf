import { webhookTarget } from '../../src/providers/cms/webhook/index.ts'
import { type Grade, gradesOf } from '../../src/publishing/target/receiver-check.ts'
import { now, outbound } from '../outbound.ts'

/** Arguments and environment of the command. */
type Given = { urls: readonly string[]; token: string; secret: string }

const SHAPES: Record<Grade['verdict'], string> = { right: '● right', wrong: '▲ wrong', unknown: '? not known' }

const linesOf = ({ sent, answered, verdict, advice }: Grade): string =>
  [
    `${SHAPES[verdict].padEnd(12)} ${sent}`,
    `             ${answered}`,
    ...(advice === '' ? [] : [`             ${advice}`]),
  ].join('\n')

/** Checks the receiver at an address and prints the grade of each answer. Returns the exit code. */
export const checkReceiverAt = async ({ urls, token, secret }: Given, usage: string): Promise<number> => {
  const [url = ''] = urls
  const isSecret = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(secret)
  if (urls.length !== 1 || !URL.canParse(url) || token === '' || !isSecret) {
    process.stderr.write(usage)
    return 2
  }
  const secrets = { access_token: token, signing_secret: secret }
  const target = webhookTarget({ id: 1, platform: 'webhook', url, secrets }, { outbound, serviceName: 'Galley', now })
  const grades = gradesOf((await target.rehearse?.()) ?? {})
  const right = grades.filter(({ verdict }) => verdict === 'right').length
  process.stdout.write(`${grades.map(linesOf).join('\n')}\n\n${right} of ${grades.length} right\n`)
  return right === grades.length ? 0 : 1
}
