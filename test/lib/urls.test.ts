import { describe, expect, it } from 'vitest'
import { checkPublicUrl, isPublicAddress, siteKey, withScheme } from '../../src/lib/urls.ts'

describe('addresses of customers', () => {
  it.each([
    'https://example.com',
    'http://example.com:8080/a?b#c',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://bücher.example',
  ])('%s may be called', (text) => expect(checkPublicUrl(text, false)).toHaveProperty('url'))

  it.each([
    ['nonsense', 'not_absolute'],
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
  ])('%s is refused as %s', (text, refusal) => expect(checkPublicUrl(text, false)).toEqual({ refusal }))

  it('lets loopback through in development, and nothing else', () => {
    for (const text of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]'])
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
    ['256.1.1.1', false],
    ['1.2.3', false],
    ['', false],
    ['2606:4700::1111', true],
    ['::ffff:8.8.8.8', true],
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
    ['https://example.com:8443', 'example.com:8443'],
  ])('%s is another: %s', (text, key) => expect(siteKey(new URL(text))).toBe(key))
})
