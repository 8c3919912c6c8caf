import { createClient } from '../../client/src/api.generated.ts'
import { configOf } from '../../client/src/config.ts'
import type { Galley } from '../../client/src/index.ts'
import { type Command, methodName, pathNames } from './operation.ts'
import { COMMANDS } from './operations.generated.ts'

/** Returns an operation as the client knows it, made from the table of commands, which is shorter than the client's own. */
const descriptorOf = (id: string, { method, path, query, body }: Command) => ({
  id,
  method,
  path: path.replaceAll(/:(\w+)/g, '{$1}'),
  params: [
    ...pathNames(path).map((name) => ({ name, in: 'path' as const })),
    ...Object.entries(query ?? {}).map(([name, kind]) => ({
      name,
      in: 'query' as const,
      ...(kind === 'l' ? { style: 'form' as const, explode: false } : {}),
    })),
  ],
  ...(body ? { body: { contentType: 'application/json' } } : {}),
  security: [[{ scheme: 'apiKey', kind: 'bearer' as const }]],
})

/** Returns the client of an account. */
export const clientOf = (url: string, key: string): Galley => {
  const operations = Object.entries(COMMANDS).map(([id, one]) => [methodName(id), descriptorOf(id, one)])
  return createClient(Object.fromEntries(operations), configOf({ url, key })) as unknown as Galley
}
