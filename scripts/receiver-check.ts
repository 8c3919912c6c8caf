import { readArguments } from './arguments.ts'

const USAGE = `Sends test events to your webhook receiver and grades its answers: a good event, the same again, an older version
after a newer one, a late one, and one with a wrong signature. Each has "test": true, so a receiver stores nothing.

Usage: RECEIVER_TOKEN=… RECEIVER_SECRET=whsec_… npm run receiver-check -- URL

  URL                  where deliveries are sent: a public address, or one on this machine
  RECEIVER_TOKEN       the access token that the receiver expects
  RECEIVER_SECRET      the signing secret that was shown when the receiver was connected

Exits with 0 if every answer is right, otherwise with 1.
`

const { values, positionals } = readArguments('npm run receiver-check --', {
  options: { help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
})
if (values.help) {
  process.stdout.write(USAGE)
  process.exit(0)
}
const { checkReceiverAt } = await import('./receiver/check.ts')
const { RECEIVER_TOKEN: token = '', RECEIVER_SECRET: secret = '' } = process.env
process.exitCode = await checkReceiverAt({ urls: positionals, token, secret }, USAGE)
