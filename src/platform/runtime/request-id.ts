const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/

/** Returns the request's id: the caller's where it is well formed, else a new one. */
export const requestIdOf = (header: string | null | undefined, newId: () => string): string =>
  header && REQUEST_ID.test(header) ? header : newId()
