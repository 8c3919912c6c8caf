import { it } from 'vitest'
import { HOSTILE } from '../content/html/hostile.ts'
import { READERS } from '../content/html/readers.ts'

it.each(Object.entries(HOSTILE))('300 KB come to an end in every reader: %s', (_name, build) => {
  const source = build(Math.floor(300_000 / (build(1_000).length / 1_000)))
  for (const read of Object.values(READERS)) read(source)
})
