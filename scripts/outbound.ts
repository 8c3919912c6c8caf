import { createOutbound, userAgentOf } from '../src/platform/runtime/outbound.ts'

/** Returns the time. */
export const now = (): Date => new Date()

/** Calls other services for a command. It may also call this machine. */
export const outbound = createOutbound({
  allowLoopback: true,
  dnsQueryUrl: 'https://cloudflare-dns.com/dns-query',
  userAgent: userAgentOf({ serviceName: 'Galley', publicUrl: '' }),
  log: () => {},
  now,
})
