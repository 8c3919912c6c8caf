import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { MODULES } from '../../scripts/mutate/modules.ts'

it('the page on mutation has every module that is changed, each with what was noticed: 85 % and more', () => {
  const page = readFileSync(join(ROOT, 'docs/design/mutation.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(\S+)` \| ([\d.]+) % \|$/gm)].map(([, file, percent]) => [file, Number(percent)])
  expect(rows.map(([file]) => file).sort()).toEqual(Object.keys(MODULES).sort())
  for (const [file, percent] of rows) expect(percent, String(file)).toBeGreaterThanOrEqual(85)
})
