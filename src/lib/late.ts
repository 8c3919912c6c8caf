/**
 * What `make` gives, made when something of it is first read. It stands around the schemas of jobs' payloads, and in bundles around
 * those that are values of a module (`local/lean-schemas.ts`).
 */
export const late = <T extends object>(make: () => T): T => {
  let made: T | undefined
  const value = (): T => {
    made ??= make()
    return made
  }
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(value(), key),
    has: (_, key) => Reflect.has(value(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(value()),
  })
}
