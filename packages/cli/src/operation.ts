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

/** Fields that many operations have, by a letter. */
export type SharedFields = Readonly<Record<string, string>>

/**
 * Operations by id, as short as the file that people download has them: `GET /articles`, the summary, then the fields of
 * the query and those of the body, such as `limit:n before_id:n`. `@p` stands for the shared fields `p`.
 */
export type CommandRows = Readonly<
  Record<string, readonly [call: string, summary: string, query: string, body?: string]>
>

/** Returns the commands of rows. */
export const commandsOf = (rows: CommandRows, shared: SharedFields): Commands => {
  const kindsOf = (fields: string): Record<string, Kind> => {
    const whole = fields.replace(/@(\w)/g, (_, letter: string) => shared[letter] ?? '')
    return Object.fromEntries([...whole.matchAll(/(\w+):(\w)/g)].map(([, name, kind]) => [name, kind]))
  }
  return Object.fromEntries(
    Object.entries(rows).map(([id, [call, summary, query, body]]) => {
      const [method = '', path = ''] = call.split(' ')
      return [
        id,
        { method, path, summary, query: kindsOf(query), ...(body === undefined ? {} : { body: kindsOf(body) }) },
      ]
    }),
  )
}

/** Returns the name of a client's method: `articles.publish` is `articlesPublish`. */
export const methodName = (id: string): string => id.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the names of a path's parameters. */
export const pathNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
