import { expect, it } from 'vitest'
import { addressOf, prefixOf } from '../../../src/platform/http/address.ts'

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2::7', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::7', '2001:db8:1:3::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['not:an:address', 'not:an:address'],
  ['', ''],
  [undefined, 'local'],
  [null, 'local'],
])('the address %s is counted as %s', (header, counted) => {
  expect(addressOf(header)).toBe(counted)
})

it('a network of 48 bits is that of all its networks of 64', () => {
  expect([prefixOf('2001:db8:1:2::7', 48), prefixOf('2001:db8:1:ffff::1', 48)]).toEqual([
    '2001:db8:1::/48',
    '2001:db8:1::/48',
  ])
})
