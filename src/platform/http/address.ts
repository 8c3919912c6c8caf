const MAPPED = /^0:0:0:0:0:ffff:([0-9a-f]+):([0-9a-f]+)$/

/** Returns the eight groups of an IPv6 address; undefined if it is not one. */
const groupsOf = (address: string): string[] | undefined => {
  const url = URL.parse(`http://[${address}]/`)
  if (!url) return undefined
  const [head = '', tail] = url.hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}

const ipv4Of = (high: string, low: string): string =>
  [Number.parseInt(high, 16), Number.parseInt(low, 16)].flatMap((part) => [part >> 8, part & 255]).join('.')

/**
 * Returns the part of a caller's address by which requests are counted. A text that is no address is returned unchanged.
 *
 * An IPv4 address is counted whole, also if it is mapped into IPv6. An IPv6 address is counted by its network of `bits` bits,
 * because one caller usually has a whole /64.
 */
export const prefixOf = (address: string, bits: 48 | 64): string => {
  const groups = address.includes(':') ? groupsOf(address) : undefined
  if (!groups) return address
  const [, high, low] = MAPPED.exec(groups.join(':')) ?? []
  if (high !== undefined && low !== undefined) return ipv4Of(high, low)
  return `${groups.slice(0, bits / 16).join(':')}::/${bits}`
}

/** Returns the prefix by which a caller is counted, from the header with the caller's address. */
export const addressOf = (header: string | null | undefined): string => prefixOf(header ?? 'local', 64)
