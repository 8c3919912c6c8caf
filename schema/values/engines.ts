/**
 * States of the key file at a host of a site.
 *
 * `not_placed`: it was not there at the last look. `verified`: it was. `refused`: the search engines refused the key three times
 * although it is there.
 */
export const ENGINE_HOST_STATES = ['not_placed', 'verified', 'refused'] as const
export type EngineHostState = (typeof ENGINE_HOST_STATES)[number]
