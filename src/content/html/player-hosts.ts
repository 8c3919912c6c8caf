/** Hosts of video players that articles may show in frames, without `www.`, and the site of each. */
const SITES: ReadonlyMap<string, 'youtube' | 'vimeo'> = new Map([
  ['youtube.com', 'youtube'],
  ['m.youtube.com', 'youtube'],
  ['youtube-nocookie.com', 'youtube'],
  ['player.vimeo.com', 'vimeo'],
])

/** Returns the site whose videos a host plays, in any case; undefined for any other host. */
export const playerSite = (host: string): 'youtube' | 'vimeo' | undefined =>
  SITES.get(host.toLowerCase().replace(/^www\./, ''))
