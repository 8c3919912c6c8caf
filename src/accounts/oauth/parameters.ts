/** Returns a parameter that is given several times, which none may be (RFC 6749, 3.1 and 3.2) but `resource` (RFC 8707). */
export const givenTwice = (params: URLSearchParams): string | undefined =>
  [...params.keys()].find((name) => name !== 'resource' && params.getAll(name).length > 1)
