import { expect, it } from 'vitest'
import { withPlayers } from '../../../src/content/html/players.ts'

const playerAt = (start: string, title = 'YouTube video') =>
  `<figure><iframe src="https://www.youtube-nocookie.com/embed/abc_DEF-123${start}" title="${title}" width="560" height="315" loading="lazy" allowfullscreen></iframe></figure>`

/** Addresses as people copy them from YouTube's "Share" and from the address bar. */
it.each([
  ['https://youtu.be/abc_DEF-123?t=43', '?start=43'],
  ['https://youtu.be/abc_DEF-123?si=x&amp;t=43s', '?start=43'],
  ['https://www.youtube.com/watch?v=abc_DEF-123&amp;t=1m30s', '?start=90'],
  ['https://www.youtube.com/watch?list=PL1&amp;v=abc_DEF-123&amp;t=1h2m3s', '?start=3723'],
  ['https://www.youtube.com/watch?v=abc_DEF-123#t=43', '?start=43'],
  ['https://m.youtube.com/live/abc_DEF-123?start=0', '?start=0'],
  ['//youtu.be/abc_DEF-123', ''],
  ['https://youtu.be/abc_DEF-123?t=soon', ''],
])('%s becomes a player that starts there', (address, start) => {
  expect(withPlayers(`<p>${address}</p>`)).toBe(playerAt(start))
  expect(withPlayers(`<p><a href="${address}">A shed</a></p>`)).toBe(playerAt(start, 'A shed'))
})
