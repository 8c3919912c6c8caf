import { PUBLISHING_PLATFORMS, type PublishingPlatform, TARGET_NAMES } from '../../schema/values/publishing.ts'
import type { CmsAbility } from './cms/client.ts'
import { type Deed, PLATFORMS, type Platform, WEBHOOK } from './publishing.ts'

/** Columns of the table of abilities: what people call each, and what it means. */
export const COLUMNS: Readonly<Record<Deed, { title: string; meaning: string }>> = {
  publish: { title: 'Publish', meaning: 'Makes an article public.' },
  update: { title: 'Update', meaning: 'Changes the public article in place.' },
  takeDown: { title: 'Take down', meaning: 'Makes the public article a draft.' },
  rename: { title: 'Rename', meaning: 'Gives the public article another slug.' },
  pictures: { title: 'Pictures', meaning: 'Where the pictures of an article are.' },
  drafts: { title: 'Drafts', meaning: 'Sends an article that readers do not see yet.' },
  readBack: { title: 'Read back', meaning: 'Compares the site with what was sent, and puts an earlier version back.' },
  adopt: { title: 'Adopt', meaning: 'Takes posts that the site already has.' },
}

const picturesOf = (can: readonly CmsAbility[]): string => {
  if (can.includes('importsImages')) return 'copied there'
  return can.includes('hostImage') ? 'linked, or stored there' : 'linked'
}

/** Returns what a row says of a platform: what its adapter has, unless the row has other words. */
const wordsOf = ({ can, does }: Platform): Record<Deed, string> => {
  const yes = (ability: CmsAbility): string => (can.includes(ability) ? 'yes' : 'no')
  return {
    publish: 'yes',
    update: 'yes',
    takeDown: yes('unpublish'),
    rename: 'no',
    pictures: picturesOf(can),
    drafts: 'yes',
    readBack: can.includes('restore') ? yes('read') : 'no',
    adopt: yes('posts'),
    ...does,
  }
}

const rowOf = (platform: PublishingPlatform): Platform =>
  platform === 'webhook' ? WEBHOOK : (PLATFORMS[platform] as Platform)

/** Abilities of each platform, by column, in the order of the platforms. */
export const ABILITIES: readonly { platform: PublishingPlatform; name: string; does: Record<Deed, string> }[] =
  PUBLISHING_PLATFORMS.map((platform) => ({
    platform,
    name: TARGET_NAMES[platform],
    does: wordsOf(rowOf(platform)),
  }))
