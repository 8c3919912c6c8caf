/** Thrown if an answer does not fit the contract. */
export class Mismatch extends Error {
  readonly expected: string
  readonly came: string

  constructor(what: string, expected: string, came: string) {
    super(what)
    this.expected = expected
    this.came = came
  }
}

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export type Tour = {
  /** Prints a numbered heading and one sentence on the reason. */
  step: (title: string, why: string) => void
  call: (method: string, path: string, status: number, ms: number) => void
  /** Prints the few fields of an answer that matter. */
  fields: (values: Record<string, unknown>) => void
  note: (text: string) => void
  ok: (text: string) => void
  /** Prints a line that rewrites itself on a terminal. Elsewhere, it is printed now and then. */
  progress: (text: string) => void
  endProgress: () => void
  failure: (error: unknown) => void
}

const shorten = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '–')
  return text.length > 88 ? `${text.slice(0, 85)}…` : text
}

/** Creates a tour that writes to `out`, with or without colours. */
export const createTour = (out: NodeJS.WriteStream, colours: boolean): Tour => {
  const paint = (style: keyof typeof STYLES, text: string): string =>
    colours ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text
  const line = (text = ''): void => void out.write(`${text}\n`)
  let steps = 0
  let lastProgress = 0

  const failure: Tour['failure'] = (error) => {
    const message = error instanceof Error ? error.message : String(error)
    line(`\n${paint('red', '✗')} ${paint('bold', message)}`)
    if (error instanceof Mismatch) line(`  expected  ${error.expected}\n  came      ${error.came}`)
    else if (error instanceof Error && error.cause instanceof Error) line(`  ${error.cause.message}`)
  }

  return {
    step: (title, why) => {
      steps += 1
      line(`\n${paint('bold', `${steps}. ${title}`)}\n${paint('dim', `   ${why}`)}`)
    },
    call: (method, path, status, ms) => {
      const tone = status < 300 ? 'green' : status < 500 ? 'yellow' : 'red'
      line(`   ${paint('cyan', method)} ${path} → ${paint(tone, String(status))} ${paint('dim', `${ms} ms`)}`)
    },
    fields: (values) => {
      for (const [name, value] of Object.entries(values))
        if (value !== undefined) line(`     ${paint('dim', `${name}:`)} ${shorten(value)}`)
    },
    note: (text) => line(`   ${paint('yellow', text)}`),
    ok: (text) => line(`   ${paint('green', '✓')} ${text}`),
    progress: (text) => {
      if (out.isTTY) out.write(`\r\u001b[2K   ${text}`)
      else if (performance.now() - lastProgress > 15_000 || lastProgress === 0) {
        lastProgress = performance.now()
        line(`   ${text}`)
      }
    },
    endProgress: () => {
      lastProgress = 0
      if (out.isTTY) out.write('\r\u001b[2K')
    },
    failure,
  }
}
