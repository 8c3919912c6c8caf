/**
 * `looking`: the new addresses of the articles are looked for. `ready`: a person may confirm. `moved`: a person did. `stopped`: it
 * ended early, for the reason in `error`. `replaced`: another move was begun, or a person set it aside.
 */
export const MOVE_STATES = ['looking', 'ready', 'moved', 'stopped', 'replaced'] as const
export type MoveState = (typeof MOVE_STATES)[number]

/** Place where the new address of an article was found: the same path at the new site, or the end of a redirect. */
export const FOUND_AT = ['path', 'redirect', 'there'] as const
export type FoundAt = (typeof FOUND_AT)[number]
