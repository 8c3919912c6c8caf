import { describe, expect, it } from 'vitest'
import {
  checkPublicUrl,
  isOfSite,
  isPublicAddress,
  isReservedHost,
  keyOfRead,
  pageKey,
  siteKey,
  siteKeys,
  withoutTrackers,
  withScheme,
} from '../../../src/platform/lib/urls.ts'

describe('addresses of customers', () => {
  it.each([
    'https://example.com',
    'http://example.com:8080/a?b#c',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://bücher.example',
    'http://example.com.',
    'http://example.com:443',
    'https://example.com:80',
    'https://example.com:1024',
    'https://example.com:65535',
    `https://${'a'.repeat(63)}.example`,
    `https://${'abc.'.repeat(61)}example.x`,
  ])('%s may be called', (text) => expect(checkPublicUrl(text, false)).toHaveProperty('url'))

  it.each([
    ['nonsense', 'not_absolute'],
    [`https://${'a'.repeat(64)}.example`, 'private_host'],
    [`https://${'abc.'.repeat(61)}example.xy`, 'private_host'],
    ['//example.com', 'not_absolute'],
    ['https://', 'not_absolute'],
    ['ftp://example.com', 'not_http'],
    ['file:///etc/passwd', 'not_http'],
    ['javascript:alert(1)', 'not_http'],
    ['https://user@example.com', 'credentials'],
    ['https://:pass@example.com', 'credentials'],
    ['http://localhost', 'private_host'],
    ['http://LOCALHOST.', 'private_host'],
    ['http://a.localhost', 'private_host'],
    ['http://127.0.0.1', 'private_host'],
    ['http://127.1', 'private_host'],
    ['http://2130706433', 'private_host'],
    ['http://0x7f000001', 'private_host'],
    ['http://0177.0.0.1', 'private_host'],
    ['http://0.0.0.0', 'private_host'],
    ['http://10.1.2.3', 'private_host'],
    ['http://172.16.0.1', 'private_host'],
    ['http://172.31.255.255', 'private_host'],
    ['http://192.168.1.1', 'private_host'],
    ['http://100.64.0.1', 'private_host'],
    ['http://169.254.169.254/latest/meta-data', 'private_host'],
    ['http://224.0.0.1', 'private_host'],
    ['http://255.255.255.255', 'private_host'],
    ['http://[::1]', 'private_host'],
    ['http://[::]', 'private_host'],
    ['http://[fe80::1]', 'private_host'],
    ['http://[fc00::1]', 'private_host'],
    ['http://[ff02::1]', 'private_host'],
    ['http://[::ffff:127.0.0.1]', 'private_host'],
    ['http://[::ffff:a9fe:a9fe]', 'private_host'],
    ['http://[64:ff9b::10.0.0.1]', 'private_host'],
    ['http://[2002:7f00:1::]', 'private_host'],
    ['http://[2001:db8::1]', 'private_host'],
    ['http://intranet', 'private_host'],
    ['http://metadata.google.internal', 'private_host'],
    ['http://printer.local', 'private_host'],
    ['http://router.home.arpa.', 'private_host'],
    ['http://１２７.0.0.1', 'private_host'],
    ['http://localhost..', 'private_host'],
    ['http://127.0.0.1..', 'private_host'],
    ['http://metadata.google.internal...', 'private_host'],
    ['http://example.com..', 'private_host'],
    ['http://.example.com', 'private_host'],
    ['http://example..com', 'private_host'],
    ['http://192.0.0.1', 'private_host'],
    ['http://192.0.2.1', 'private_host'],
    ['http://192.88.99.1', 'private_host'],
    ['http://198.18.0.1', 'private_host'],
    ['http://198.51.100.1', 'private_host'],
    ['http://203.0.113.1', 'private_host'],
    ['http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]', 'private_host'],
    ['http://[3fff::1]', 'private_host'],
    ['http://[3fff:fff::1]', 'private_host'],
    ['http://[64:ff9b:1::808:808]', 'private_host'],
    ['http://example.com:25', 'port'],
    ['http://example.com:22', 'port'],
    ['http://example.com:1023', 'port'],
    ['https://8.8.8.8:25', 'port'],
    ['http://localhost:25', 'port'],
  ])('%s is refused as %s', (text, refusal) => expect(checkPublicUrl(text, false)).toEqual({ refusal }))

  it('allows only loopback in development', () => {
    for (const text of ['http://localhost:3000', 'http://a.localhost', 'http://127.0.0.1', 'http://[::1]'])
      expect(checkPublicUrl(text, true)).toHaveProperty('url')
    for (const text of ['http://10.0.0.1', 'http://169.254.169.254', 'http://intranet', 'http://[fe80::1]'])
      expect(checkPublicUrl(text, true)).toEqual({ refusal: 'private_host' })
  })

  it.each([
    ['172.15.0.1', true],
    ['172.32.0.1', true],
    ['100.128.0.1', true],
    ['198.20.0.1', true],
    ['198.19.0.1', false],
    ['9.255.255.255', true],
    ['11.0.0.0', true],
    ['1.0.0.0', true],
    ['0.255.255.255', false],
    ['100.63.255.255', true],
    ['100.127.255.255', false],
    ['126.255.255.255', true],
    ['128.0.0.0', true],
    ['169.253.255.255', true],
    ['169.255.0.0', true],
    ['191.255.255.255', true],
    ['192.0.1.0', true],
    ['192.0.3.0', true],
    ['192.88.98.255', true],
    ['192.88.100.0', true],
    ['192.167.255.255', true],
    ['192.169.0.0', true],
    ['198.17.255.255', true],
    ['198.51.99.255', true],
    ['198.51.101.0', true],
    ['203.0.112.255', true],
    ['203.0.114.0', true],
    ['223.255.255.255', true],
    ['256.1.1.1', false],
    ['1.2.3.4.5', false],
    ['1.2.3.1000', false],
    ['x1.2.3.4', false],
    ['1.2.3', false],
    ['', false],
    ['2606:4700::1111', true],
    ['::ffff:8.8.8.8', true],
    ['::ffff:0808:0808', true],
    ['::ffff:10.0.0.1', false],
    ['::8.8.8.8', false],
    ['::ffff:999.1.1.1', false],
    ['::1:ffff:8.8.8.8', false],
    ['64:ff9b::8.8.8.8', true],
    ['64:ff9b::192.168.0.1', false],
    ['64:ff9b:0:0:0:1:808:808', false],
    ['64:ff9a::8.8.8.8', false],
    ['65:ff9b::8.8.8.8', false],
    ['2002:808:808::', true],
    ['2002:a00:1::', false],
    ['2002:c0a8:101::1', false],
    ['2001::1', false],
    ['2001:1ff:ffff::', false],
    ['2001:200::', true],
    ['2001:db7::1', true],
    ['2001:db8:ffff::', false],
    ['2001:db9::1', true],
    ['3fff:1000::', true],
    ['3ffe::1', true],
    ['1fff::1', false],
    ['2000::1', true],
    ['4000::1', false],
    ['2606:4700:0:0:0:0:0:1111', true],
    ['2606:4700:0:0:0:0:0', false],
    ['2606:4700:0:0:0:0:0:0:1', false],
    ['2606:4700::10000', false],
    ['2606:4700::-1', false],
    ['2606:4700::zz', false],
    ['2606:db8::1', true],
    ['2002:c058:6301::1', false],
    ['64:ff9b::192.88.99.1', false],
    ['::ffff:123.123.123.123', true],
    ['::ffff:123.123.123.123x', false],
    ['::ffff:123.123.123.999', false],
    ['2606::4700:0:0:0:0:0:0:1', false],
    ['1::2::3', false],
    ['fe80', false],
  ])('%j is public: %s', (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic))
})

describe('addresses of websites', () => {
  it.each([
    ['example.com', 'https://example.com'],
    ['http://example.com', 'http://example.com'],
    ['HTTPS://example.com', 'HTTPS://example.com'],
    ['ftp://example.com', 'ftp://example.com'],
    ['example.com/?from=http://other.example', 'https://example.com/?from=http://other.example'],
  ])('%s with its scheme is %s', (text, full) => expect(withScheme(text)).toBe(full))

  it.each([
    'https://example.com',
    'http://example.com/',
    'https://WWW.Example.com',
    'https://www.example.com/?utm=1#top',
    'https://example.com.',
    'https://example.com:443',
  ])('%s is the site example.com', (text) => expect(siteKey(new URL(text))).toBe('example.com'))

  it.each([
    ['https://blog.example.com', 'blog.example.com'],
    ['https://example.com/blog/', 'example.com/blog'],
    ['https://example.com/blog//', 'example.com/blog'],
    ['https://a.www.example.com', 'a.www.example.com'],
    ['https://example.com:8443', 'example.com:8443'],
  ])('%s is another: %s', (text, key) => expect(siteKey(new URL(text))).toBe(key))
})

describe('pages and their sites', () => {
  it('an address can belong to every site above it, eight parts deep, the narrowest first', () => {
    expect(siteKeys(new URL('https://www.a.com/b/c/'))).toEqual(['a.com/b/c', 'a.com/b', 'a.com'])
    expect(siteKeys(new URL('https://a.com'))).toEqual(['a.com'])
    expect(siteKeys(new URL('https://a.com/1/2/3/4/5/6/7/8/9'))[0]).toBe('a.com/1/2/3/4/5/6/7/8')
  })

  it.each([
    ['a.com', 'a.com', true],
    ['a.com/b', 'a.com', true],
    ['a.com/b/c', 'a.com/b', true],
    ['a.com/bc', 'a.com/b', false],
    ['a.community', 'a.com', false],
    ['a.com', 'a.com/b', false],
    ['a.com?p=59', 'a.com', true],
    ['a.com/b?p=59', 'a.com/b', true],
    ['a.com/b?p=59', 'a.com/b/c', false],
  ])('%s belongs to %s: %s', (page, site, belongs) => expect(isOfSite(page, site)).toBe(belongs))

  it.each([
    ['example', true],
    ['a.example', true],
    ['a.example.', true],
    ['a.invalid', true],
    ['example.com', false],
    ['myexample', false],
    ['a.example.com', false],
  ])('%s is reserved: %s', (host, reserved) => expect(isReservedHost(host)).toBe(reserved))
})

describe('page keys', () => {
  it.each([
    ['https://a.com/x', 'a.com/x'],
    ['http://www.a.com/x/', 'a.com/x'],
    ['https://a.com/x?utm_source=newsletter&UTM_Medium=mail#top', 'a.com/x'],
    ['https://a.com/x?gclid=1&fbclid=2&srsltid=3&mc_eid=4&msclkid=5&_gl=6', 'a.com/x'],
    ['https://a.com/?p=59', 'a.com?p=59'],
    ['https://a.com?p=59&utm_campaign=x', 'a.com?p=59'],
    ['https://a.com/?p=60', 'a.com?p=60'],
    ['https://a.com/index.php?id=7', 'a.com/index.php?id=7'],
    ['https://a.com/index.php?lang=de&id=7&', 'a.com/index.php?id=7&lang=de'],
    ['https://a.com/index.php?id=7&&lang=de', 'a.com/index.php?id=7&lang=de'],
    ['https://a.com/x?', 'a.com/x'],
  ])('the key of %s is %s', (url, key) => expect(pageKey(new URL(url))).toBe(key))

  it('an address is stored without trackers and fragment, and otherwise as it was', () => {
    expect(withoutTrackers(new URL('http://www.a.com/x/?b=2&utm_source=y&a=1#top')).href).toBe(
      'http://www.a.com/x/?b=2&a=1',
    )
  })

  it.each([
    ['names the page', 'https://a.com/?p=59', 'https://www.a.com/my-post/', 'a.com/my-post'],
    ['is relative', 'https://a.com/x?sort=new', '/x', 'a.com/x'],
    ['is missing', 'https://a.com/?p=59', null, 'a.com?p=59'],
    ['is no address', 'https://a.com/?p=59', 'https://', 'a.com?p=59'],
    ['is on another host', 'https://a.com/x', 'https://b.com/x', 'a.com/x'],
    ['is the home page', 'https://a.com/x', 'https://a.com/', 'a.com/x'],
  ])('the canonical address of a page that was read %s', (_, page, canonical, key) =>
    expect(keyOfRead(new URL(page), canonical)).toBe(key),
  )
})
