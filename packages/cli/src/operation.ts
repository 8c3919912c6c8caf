/** Kind of a field: text, number, boolean, list of texts, or JSON. */
export type Kind = 's' | 'n' | 'b' | 'l' | 'j'

/** An operation as a command. */
export type Command = {
  method: string
  path: string
  summary: string
  /** Fields of the query, and of the body, with their kinds. */
  query?: Readonly<Record<string, Kind>>
  body?: Readonly<Record<string, Kind>>
}

/** Commands by operation id, such as `articles.publish`. */
export type Commands = Readonly<Record<string, Command>>

/** Returns the name of a client's method: `articles.publish` is `articlesPublish`. */
export const methodName = (id: string): string => id.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the names of a path's parameters. */
export const pathNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
