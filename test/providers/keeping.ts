import type { CmsVersion } from '../../src/publishing/cms.ts'
import type { Keeping } from '../../src/publishing/port.ts'

/** Keeps in memory what a delivery keeps in the database. */
export const memory = (): Keeping & { versions: CmsVersion[]; images: Map<string, string> } => {
  const versions: CmsVersion[] = []
  const images = new Map<string, string>()
  return {
    versions,
    images,
    version: async (version) => {
      versions.push(version)
    },
    hostedImages: async (urls) => new Map([...images].filter(([url]) => urls.includes(url))),
    hosted: async (url, hostedUrl) => {
      images.set(url, hostedUrl)
    },
    hasTime: () => true,
  }
}
