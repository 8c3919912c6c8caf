/** One promise of the service, with the command that measures it. */
export type Part = {
  /** Promise that holds if the command succeeds. */
  claim: string
  command: readonly string[]
  /** Settings of the command that make it last about so many minutes. */
  env: (minutes: number) => Record<string, string>
  /** Reads the figure from what the command printed. */
  figure: (output: string) => string
}

const MINUTE_MS = 60_000

const lines = (output: string, wanted: RegExp): string[] => [...output.matchAll(wanted)].map(([line]) => line)

/** Returns what random sequences report at their end, such as `1073 steps held`. */
const held = (output: string): string => lines(output, /^\d+ \w+ held/gm).join(', ')

/** Returns how many tests vitest says have passed, in words. */
const passed = (output: string): string => `${Number(/^\s*Tests\s.*?(\d+) passed/m.exec(output)?.[1] ?? 0)} passed`

const REQUESTS_A_MINUTE = 40

const onServices = (...files: string[]): readonly string[] => [
  'scripts/services.sh',
  ...['node', 'scripts/run.mjs', 'vitest', 'run', '--project', 'long*', ...files],
]

const sequences = (claim: string, ...files: string[]): Part => ({
  claim,
  command: onServices(...files),
  env: (minutes) => ({ LONG_MS: String(minutes * MINUTE_MS) }),
  figure: held,
})

/** All parts, by name, in the order in which they run. */
export const PARTS: Readonly<Record<string, Part>> = {
  publications: sequences(
    'Random publications, updates and take-downs under faults: nothing is lost, nothing is sent twice, nothing stays in a state that nobody will move.',
    'test/long/publishing.test.ts',
  ),
  articles: sequences(
    'Random calls, kills and clocks on one article: its state is that of the model, and each text goes out once.',
    'test/long/articles.test.ts',
  ),
  policies: sequences(
    'Random calls, persons and clocks under changing policies: forbidden work is never sent, allowed work once.',
    'test/long/policy.test.ts',
  ),
  posts: {
    claim: 'Social posts under faults: none is published twice, and each state is true.',
    command: onServices('test/long/social.test.ts'),
    env: () => ({}),
    figure: passed,
  },
  suggestions: sequences(
    'Two reviewers and a changing article: no difference from the table of states.',
    'test/long/suggestions.test.ts',
  ),
  undo: sequences(
    'Random changes and undos: each undo restores what the change replaced, and names what it could not.',
    'test/long/undo.test.ts',
  ),
  'own-machine': sequences(
    'A machine of one’s own whose Workers, server, PostgreSQL, Redis, or all of them are killed: every publication arrives, under one key.',
    'test/long/own-machine.test.ts',
  ),
  faults: {
    claim: 'Four copies of every Worker, races, and a queue that loses, repeats and reorders: everything is done once.',
    command: ['scripts/services.sh', ...['node', 'scripts/run.mjs', 'vitest', 'run', '--project', 'long-copies']],
    env: () => ({}),
    figure: passed,
  },
  statements: {
    claim: '40 statements in 500 articles: every exact use is found, and other words as often as the figure says.',
    command: ['node', 'scripts/run.mjs', 'vitest', 'run', 'test/publishing/statements/measured.test.ts'],
    env: () => ({}),
    figure: (output) => lines(output, /^(?:exact|similar): .*$/gm).join('; '),
  },
  care: {
    claim:
      'The guide “Look after old posts” at a real WordPress and a real Ghost, with the Workers killed in the middle of release and revert: each post has the text and fields that it had, nothing is sent twice, nothing stays half done.',
    command: ['scripts/services.sh', 'scripts/test-cms.sh', 'wordpress', 'ghost', '--', '-t', 'the guide on old posts'],
    env: () => ({ CARE: 'whole' }),
    figure: (output) => lines(output, /^care at .*$/gm).join('; '),
  },
  requests: {
    claim: 'Arbitrary requests to every operation: no answer is a 5xx, and each refusal has a code.',
    command: onServices('test/contract/fuzz.test.ts'),
    env: (minutes) => ({ FUZZ_CASES: String(minutes * REQUESTS_A_MINUTE) }),
    figure: (output) => `${passed(output)}: one an operation`,
  },
  cms: {
    claim: 'Random edits on a real WordPress and a real Ghost: posts are what the articles say.',
    command: ['npm', 'run', '--silent', 'test:cms'],
    env: (minutes) => ({ WALKS: String(Math.max(8, minutes * 4)) }),
    figure: passed,
  },
  bench: {
    claim: 'Waits, cost, lateness, memory and weight are within their limits.',
    command: ['npm', 'run', '--silent', 'bench'],
    env: () => ({}),
    figure: (output) => {
      const [table = ''] = output.split(/^Missed:$/m)
      const missed = new Set(lines(table, /^.*\bMISS\b/gm).map((line) => line.split(/ {2,}/)[1] ?? line))
      const met = lines(table, /^.*≤.*\bpass\b/gm).length
      return missed.size === 0 ? `${met} limits met` : `${met} limits met; missed: ${[...missed].join('; ')}`
    },
  },
}
