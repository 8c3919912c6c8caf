import { PUBLISHING_PLATFORMS } from '../schema/values/publishing.ts'
import { readArguments } from './arguments.ts'

const NAMES = PUBLISHING_PLATFORMS.filter((platform) => platform !== 'git' && platform !== 'webhook').join(', ')

const USAGE = `Tests a real account of a platform and prints what worked: creates a draft, publishes and changes it, sends a long
text and an image, unpublishes it and deletes it. It changes nothing else there.

Usage: npm run cms-check -- --platform NAME --credentials FILE [--image URL]

  --platform NAME      one of ${NAMES}
  --credentials FILE   JSON with the fields for connecting the platform (docs/design/cms.md)
  --image URL          public URL of an image; without it, images are not tested. GoHighLevel needs one.
`

const { values } = readArguments('npm run cms-check --', {
  options: {
    platform: { type: 'string' },
    credentials: { type: 'string' },
    image: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  process.stdout.write(USAGE)
  process.exit(0)
}
const { check } = await import('./cms/check.ts')
process.exitCode = await check(values, USAGE)
