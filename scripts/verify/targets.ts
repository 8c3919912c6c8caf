import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { PUBLISHING_PLATFORMS, TARGET_NAMES } from '../../schema/values/publishing.ts'

/** Documents that list the targets of articles. */
export const TARGET_LISTS = ['README.md', 'docs/README.md', 'docs/index.md', 'docs/guides/connect.md'] as const

/** Returns the documents that lack a CMS: the lists of targets, and its guide. */
export const missingTargets = (): string[] =>
  PUBLISHING_PLATFORMS.filter((platform) => platform !== 'webhook').flatMap((platform) => {
    const [name, guide] = [TARGET_NAMES[platform], `docs/guides/${platform}.md`]
    return [
      ...TARGET_LISTS.filter(
        (path) => !readFileSync(join(ROOT, path), 'utf8').toLowerCase().includes(name.toLowerCase()),
      ).map((path) => `${path} lists targets without ${name}: add it`),
      ...(existsSync(join(ROOT, guide)) ? [] : [`${guide} is missing: the guide to connect ${name}`]),
    ]
  })
