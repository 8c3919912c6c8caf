/** Returns an object that is, whenever it is used, the one that `current` returns, so that hooks can replace what a constant names. */
export const latest = <T extends object>(current: () => T): T =>
  new Proxy({} as T, {
    get: (_, name) => Reflect.get(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => {
      const property = Reflect.getOwnPropertyDescriptor(current(), name)
      return property && { ...property, configurable: true }
    },
  })
