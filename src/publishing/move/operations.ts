import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { means, noBlanks } from '../../platform/lib/fields.ts'

/** Body of `POST /projects/:id/move`. */
export const MoveSite = z.object({
  website_url: means(
    'New URL of the website. Without a scheme, `https://` is added.',
    z.string().check(z.trim(), z.minLength(1), z.maxLength(2_000), noBlanks()),
  ),
})

export type MoveSiteInput = z.infer<typeof MoveSite>

/** Operations on a site that moves to another address. */
export const moveOperations = {
  move: {
    id: 'projects.move',
    method: 'POST',
    path: '/projects/:id/move',
    perMinute: 5,
    typicalSeconds: 60,
    scope: 'write',
    scopeReason: 'it starts work on the site',
    summary:
      'Looks for the published articles at a new address of the site. Nothing changes until a person confirms the move on its page.',
    success: [202],
    json: MoveSite,
    errors: ['forbidden_url', 'move_running', 'not_found', 'forbidden'],
  },
  showMove: {
    id: 'projects.show_move',
    method: 'GET',
    path: '/projects/:id/move',
    perMinute: 60,
    scope: 'read',
    summary:
      'Returns the newest move of a project’s site: the new address of each article, and those that were not found.',
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
