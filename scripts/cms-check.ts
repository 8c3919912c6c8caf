import { readArguments } from './arguments.ts'

const USAGE = `Walks a real account of a platform from probe to cleaning up and prints what held: makes a draft, publishes,
changes, fills it with a long text and an image, takes it down and deletes it. Nothing else there is touched.

Usage: npm run cms-check -- --platform NAME --credentials FILE [--image URL]

  --platform NAME      wordpress, webflow, shopify, ghost, wix, notion, gohighlevel or framer
  --credentials FILE   JSON with the fields that connecting the platform takes (docs/design/cms.md)
  --image URL          an image on the open web; without it images are not tried. GoHighLevel needs one.
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
