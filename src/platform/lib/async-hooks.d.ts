/** Types for the part of Node's async_hooks that the Workers use (compatibility flag nodejs_als). */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, work: () => R): R
    getStore(): T | undefined
  }
}
