import type { Ops } from './api.generated.ts'

/** Names of the lists whose pages begin before an id. */
export type PagedOperation = {
  [K in keyof Ops]: Ops[K] extends { args: { query?: { before_id?: unknown } }; result: { before_id: unknown } }
    ? K
    : never
}[keyof Ops]

/** Entries of the only list of a page. */
export type Row<P> = {
  [K in keyof P]-?: K extends 'ignored' | 'notes' ? never : NonNullable<P[K]> extends readonly (infer R)[] ? R : never
}[keyof P]

/** Methods of a client that the iterators call. */
type Caller<K extends PagedOperation> = Record<K, (args: Ops[K]['args']) => Promise<unknown>>

/** Returns the pages of a list, one call each: `for await (const page of pages(galley, 'articlesList'))`. */
export async function* pages<K extends PagedOperation>(
  galley: Caller<K>,
  operation: K,
  args: Ops[K]['args'] = {} as Ops[K]['args'],
): AsyncGenerator<Ops[K]['result'], void> {
  const { query } = args as { query?: { before_id?: number } }
  let before: number | null | undefined
  do {
    const page = (await galley[operation](
      before === undefined ? args : ({ ...args, query: { ...query, before_id: before } } as Ops[K]['args']),
    )) as Ops[K]['result']
    yield page
    before = page.before_id
  } while (before != null)
}

/** Returns the entries of a list, over all its pages: `for await (const article of each(galley, 'articlesList'))`. */
export async function* each<K extends PagedOperation>(
  galley: Caller<K>,
  operation: K,
  args?: Ops[K]['args'],
): AsyncGenerator<Row<Ops[K]['result']>, void> {
  for await (const page of pages(galley, operation, args)) {
    const list = Object.entries(page).find(([name, value]) => Array.isArray(value) && name !== 'ignored')
    yield* (list?.[1] ?? []) as Row<Ops[K]['result']>[]
  }
}
