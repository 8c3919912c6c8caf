import type { SQL } from 'drizzle-orm'
import type { Query } from './client.ts'

/** A statement of a batch: drizzle's, or a template. Undefined and false are left out. */
export type Statement = Query | SQL | undefined | false
/** Part of a batch: a statement, steps with names of their own, or a list whose results nobody reads. */
export type Step = Statement | Steps | readonly Step[]
/** Named steps of a batch, in the order in which they run. */
export type Steps = { readonly [name: string]: Step }

/** A read: one query, or queries with names. Undefined and false are left out. */
export type Reading = Query | undefined | false | { readonly [name: string]: Reading }

/** Result of a step: drizzle's own, the rows of a template, or results by name. Undefined if the step was left out. */
export type ResultOf<S> =
  S extends SQL<infer Row>
    ? Row[]
    : S extends { _: { result: infer Result } }
      ? Result
      : S extends undefined | false | readonly unknown[]
        ? undefined
        : ResultsOf<S>

type ResultsOf<S> = { readonly [Name in keyof S]: ResultOf<S[Name]> }

const isList = (step: Step): step is readonly Step[] => Array.isArray(step)
const isGroup = (step: Step): step is Steps =>
  typeof step === 'object' && Object.getPrototypeOf(step) === Object.prototype

/** Returns the statements of a step in order. */
export const statementsOf = (step: Step): (Query | SQL)[] => {
  if (!step) return []
  if (isList(step)) return step.flatMap(statementsOf)
  return isGroup(step) ? Object.values(step).flatMap(statementsOf) : [step]
}

/** Returns the results of `statementsOf` by the names of their steps. */
export const resultsOf = <const S extends Step>(steps: S, results: Iterable<unknown>): ResultOf<S> => {
  const left = results[Symbol.iterator]()
  const resultOf = (step: Step): unknown => {
    if (!step) return undefined
    if (isList(step)) return void step.map(resultOf)
    if (isGroup(step)) return Object.fromEntries(Object.entries(step).map(([name, one]) => [name, resultOf(one)]))
    return left.next().value
  }
  return resultOf(steps) as ResultOf<S>
}

/** A step without its condition, which `when` adds. It is no step yet, so a batch with a forgotten condition has no type. */
export type Guarded<S extends Step = Step> = (isMet: SQL) => S
type GuardedSteps = { readonly [name: string]: Guarded | undefined | false }
type MetStep<S> = S extends (isMet: SQL) => infer Made ? Made : undefined
type MetSteps<S> = { readonly [Name in keyof S]: MetStep<S[Name]> }

/** Puts a condition on each of the steps: if it is not met, none of them changes anything. */
export const when = <const S extends GuardedSteps>(condition: SQL, steps: S): MetSteps<S> =>
  Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [name, step ? step(condition) : undefined]),
  ) as MetSteps<S>
