import { readArguments } from '../../scripts/arguments.ts'

const PARTS = [
  'waits',
  'cost',
  'saving',
  'due',
  'memory',
  'growth',
  'exchange',
  'care',
  'seo',
  'weight',
  'price',
] as const

export type Part = (typeof PARTS)[number]
export type Options = { names: readonly Part[]; check: boolean; smoke: boolean }

const isPart = (name: string): name is Part => PARTS.some((part) => part === name)

const USAGE = `Measures the service on this machine.

  --only waits,cost,saving,due,memory,growth,exchange,care,seo,weight,price   measures these parts only
  --check                                                                     ends with 1 when a ratio misses its goal
  --smoke                                                                     runs every part once and small, without verdicts

With DATABASE_URL and REDIS_URL set, PostgreSQL and Redis behind them are used (in databases of their own); without, those
of this machine where they are installed, else the embedded ones. Each part is kept in .galley/bench.json when it ends; a part that fails does not end the others.
`

/** Reads the command line; ends the process after --help. Throws for a part that does not exist. */
export const readOptions = (argv: string[]): Options => {
  const { values } = readArguments('npm run bench --', {
    args: argv,
    options: {
      only: { type: 'string' },
      check: { type: 'boolean' },
      smoke: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    process.exit(0)
  }
  const names = values.only?.split(',').map((name) => name.trim()) ?? PARTS
  const unknown = names.filter((name) => !isPart(name))
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}. Parts: ${PARTS.join(', ')}`)
  return { names: names.filter(isPart), check: values.check ?? false, smoke: values.smoke ?? false }
}
