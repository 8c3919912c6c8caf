const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

const placeOf = ({ protocol, hostname, port, host }: URL): string =>
  `${protocol}//${LOOPBACK.has(hostname) ? `loopback:${port}` : host}`

/**
 * Returns the one name of the MCP server for each address it answers under. Such an address may have capitals, the usual port, a
 * slash at the end, a query, or a name of this machine. Any other stays as it is.
 */
const canonicalResource = (resource: string, given: string): string => {
  const [own, asked] = [new URL(resource), URL.parse(given)]
  const isSame =
    asked !== null &&
    placeOf(asked) === placeOf(own) &&
    asked.pathname.replace(/(?<!\/)\/+$/, '') === own.pathname &&
    asked.hash === '' &&
    asked.username === ''
  return isSame ? resource : given
}

/** Writes the canonical name of the MCP server into parameters that name it otherwise. */
export const withCanonicalResource = (resource: string, parameters: URLSearchParams): void => {
  const given = parameters.getAll('resource')
  if (given.length === 0) return
  parameters.delete('resource')
  for (const one of given) parameters.append('resource', canonicalResource(resource, one))
}
