import { describe, expect, it } from 'vitest'
import { boxReader, kindBytes, videoKind } from '../../../src/content/media/formats/boxes.ts'
import { box, video } from './videos.ts'

const read = (bytes: Buffer, step = bytes.length) => {
  const reader = boxReader()
  for (let at = 0; at < bytes.length; at += step) reader.push(bytes.subarray(at, at + step))
  return reader.end()
}

it.each([
  ['isom', 'mp4'],
  ['mp42', 'mp4'],
  ['M4V ', 'mp4'],
  ['qt  ', 'mov'],
  ['heic', undefined],
  ['avif', undefined],
  ['M4A ', undefined],
  ['3gp4', undefined],
])('a file of the brand %s is %s', (brand, kind) => {
  expect(videoKind(video({ brand }))).toBe(kind)
})

// mastodon/mastodon#3680
it.each(['isom', 'mp41', 'mp42', 'avc1'])('a file of a telephone that is compatible with %s is an MP4', (brand) => {
  const bytes = video({ brand: '3gp4', compatible: ['3gp4', brand] })
  expect([kindBytes(bytes.subarray(0, 12)), videoKind(bytes)]).toEqual([24, 'mp4'])
})

it('an older QuickTime file begins without a brand', () => {
  expect(videoKind(box('moov', Buffer.alloc(8)).subarray(0, 12))).toBe('mov')
  expect(videoKind(Buffer.from('RIFF    AVI LIST'))).toBeUndefined()
})

describe('the size of a video', () => {
  it.each([
    ['as it lies', {}, [640, 360]],
    ['of a telephone held upright', { isTurned: true }, [360, 640]],
    ['with long times', { version: 1 as const, width: 1920, height: 1080 }, [1920, 1080]],
    ['with a long box', { isLong: true }, [640, 360]],
  ])('%s', (_, wanted, [width, height]) => {
    expect(read(video(wanted))).toEqual({ width, height })
  })

  // Findit-AI/exifast#72, taglib/taglib#1187
  it('is read even if other bytes follow a complete video', () => {
    const bytes = video({ bytes: 2_000 })
    for (const rest of ['\0\0\0\x04moov', 'SEFT raw bytes of a camera', '\xff\xff\xff', '\0\0\0\x20mdat'])
      for (const step of [1, 7, 5_000])
        expect(read(Buffer.concat([bytes, Buffer.from(rest, 'latin1')]), step)).toEqual({ width: 640, height: 360 })
  })

  // Borewit/music-metadata#319
  it('is that of the largest track that is switched on', () => {
    const tracks = [
      { width: 160, height: 120, isEnabled: true },
      { width: 1920, height: 1080, isEnabled: true },
      { width: 3840, height: 2160, isEnabled: false },
    ]
    for (const list of [tracks, tracks.toReversed()])
      expect(read(video({ pictures: list }))).toEqual({ width: 1920, height: 1080 })
    expect(read(video({ pictures: [{ width: 64, height: 48, isEnabled: false }] }))).toEqual({ width: 64, height: 48 })
  })

  it('is the same however the bytes are cut', () => {
    const bytes = video({ bytes: 2_000, isLong: true, isTurned: true })
    for (const step of [1, 2, 3, 7, 8, 9, 16, 100, 1_999])
      expect(read(bytes, step)).toEqual({ width: 360, height: 640 })
  })

  it('is read if a list ends with four bytes of zero, and if the last box has no length', () => {
    const bytes = video({ bytes: 2_000 })
    const open = Buffer.concat([bytes, Buffer.from([0, 0, 0, 0]), Buffer.from('mdat and to the end')])
    expect(read(open)).toEqual({ width: 640, height: 360 })
    const moov = bytes.subarray(bytes.indexOf('moov') + 4)
    const padded = Buffer.concat([bytes.subarray(0, bytes.indexOf('moov') - 4), box('moov', moov, Buffer.alloc(4))])
    expect(read(padded)).toEqual({ width: 640, height: 360 })
  })
})

it.each([
  ['that was cut off anywhere', video({ bytes: 1_500 }).subarray(0, 1_400), /ends before the video/],
  ['without pictures', video({ tracks: ['soun'] }), /no track of pictures/],
  ['without data', Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov')]), /holds no video/],
  ['whose box is shorter than its head', Buffer.from([0, 0, 0, 4, ...Buffer.from('moov')]), /cannot be/],
  [
    'whose inner box is longer than its outer',
    box('moov', Buffer.from([0, 1, 0, 0, ...Buffer.from('trak')])),
    /cannot be/,
  ],
  ['of a hundred thousand boxes', Buffer.concat(Array.from({ length: 100_001 }, () => box('free'))), /too many boxes/],
])('refuses a file %s', (_, bytes, reason) => {
  expect(() => read(bytes)).toThrow(reason)
})

it('refuses every beginning of a video', () => {
  const bytes = video({ bytes: 1_200 })
  for (let length = 0; length < bytes.length; length += 1) expect(() => read(bytes.subarray(0, length))).toThrow()
})
