import { readFileSync } from 'node:fs'
import { buildSchema, GraphQLError, getVariableValues, Kind, parse, validate } from 'graphql'

const schema = buildSchema(readFileSync(new URL('./shopify-admin-2026-10.graphql', import.meta.url), 'utf8'))

/** Returns the faults of a document and its variables by Shopify's schema; undefined if there are none. */
export const invalidIn = (document: string, variables: object): string | undefined => {
  try {
    const parsed = parse(document)
    const [wrong] = validate(schema, parsed)
    if (wrong) return wrong.message
    for (const definition of parsed.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue
      const { errors } = getVariableValues(schema, definition.variableDefinitions ?? [], { ...variables })
      if (errors) return errors.map((error) => error.message).join('; ')
    }
    return undefined
  } catch (error) {
    if (error instanceof GraphQLError) return error.message
    throw error
  }
}
