import { expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { filesForServices, testFiles } from '../../scripts/test-files.ts'

it('every area that writes has tests for PostgreSQL and Redis', () => {
  const areas = new Set(filesForServices(ROOT, testFiles(ROOT)).map((path) => path.split('/')[1]))
  for (const area of ['accounts', 'content', 'insights', 'platform', 'publishing', 'reach'])
    expect(areas).toContain(area)
})
