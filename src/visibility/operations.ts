import type { Operations } from '../http/operation.ts'
import { AddPrompt, RemovePrompt, RemovePromptQuery } from './schemas.ts'

/** Endpoints of AI visibility. */
export const visibilityOperations = {
  addPrompt: {
    id: 'visibility.prompts.add',
    method: 'POST',
    path: '/ai-visibility/prompts',
    perMinute: 20,
    scope: 'write',
    summary: 'Adds a question that AI engines are asked on the next scan; at most 25 are active.',
    json: AddPrompt,
    errors: ['not_found', 'forbidden', 'prompt_limit'],
  },
  removePrompt: {
    id: 'visibility.prompts.remove',
    method: 'DELETE',
    path: '/ai-visibility/prompts',
    perMinute: 20,
    scope: 'write',
    summary: 'Stops asking a question. The answers it had stay. Body or query name the project and the prompt.',
    query: RemovePromptQuery,
    json: RemovePrompt,
    bodyOptional: true,
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
