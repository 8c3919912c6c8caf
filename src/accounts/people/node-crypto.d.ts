/** Types of the parts of Node's crypto that the accounts Worker uses (compatibility flag nodejs_compat). */
declare module 'node:crypto' {
  type Cost = { N: number; r: number; p: number; maxmem: number }
  export const scryptSync: (password: string, salt: string, length: number, cost: Cost) => Uint8Array
  export const timingSafeEqual: (a: Uint8Array, b: Uint8Array) => boolean
}
