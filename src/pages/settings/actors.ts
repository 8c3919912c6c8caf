import { namesIn } from '../../accounts/audit/log.ts'
import { listPeople } from '../../accounts/people/members.ts'
import { calledPerson } from '../../accounts/people/person.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { actorWords } from './audit-words.ts'

type Names = Awaited<ReturnType<typeof namesIn>>
type Members = Awaited<ReturnType<typeof listPeople>>['members']

/** Adds the people of an account to names of the audit log. A person can also have acted as an editor. */
export const withPeople = (names: Names, members: Members): Names =>
  new Map<string, { name?: string; project?: number }>([
    ...names,
    ...members.flatMap((member) =>
      ['person', 'editor'].map((kind): [string, { name: string }] => [
        `${kind}:${member.id}`,
        { name: calledPerson(member) },
      ]),
    ),
  ])

/** Returns the words for an actor of the audit log. */
export const actorName = (names: Names, actor: string): string => names.get(actor)?.name ?? actorWords(actor)

/** Returns the names of actors: people and keys of the account. */
export const namesOfActors = async (ctx: Ctx, actors: readonly string[]): Promise<Names> => {
  const [names, { members }] = await Promise.all([
    namesIn(
      ctx,
      actors.map((actor) => ({ actor })),
    ),
    listPeople(ctx),
  ])
  return withPeople(names, members)
}
