/**
 * Returns an object that always has the present result of `current`. So hooks can replace the value of a constant.
 */
export const latest = <T extends object>(current: () => T): T =>
  new Proxy({} as T, {
    get: (_, name) => Reflect.get(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => {
      const property = Reflect.getOwnPropertyDescriptor(current(), name)
      return property && { ...property, configurable: true }
    },
  })
