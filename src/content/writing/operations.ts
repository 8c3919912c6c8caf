import type { Operations } from '../../platform/http/operation.ts'
import { GenerateArticle } from './schemas.ts'

/** Endpoints of writing; they are in the articles Worker. */
export const writingOperations = {
  generate: {
    id: 'articles.generate',
    method: 'POST',
    path: '/articles/generate',
    perMinute: 5,
    costs: [{ unit: 'article_credits', amount: 1, note: '1 article credit, which comes back when the writing fails' }],
    typicalSeconds: 180,
    isShared: true,
    scope: 'write',
    summary: 'Lets the service write an article from notes; costs one article credit.',
    success: [202],
    json: GenerateArticle,
    errors: [
      'not_found',
      'forbidden',
      'plan_required',
      'no_article_credits',
      'key_budget_used',
      'policy',
      'edit_conflict',
    ],
  },
} as const satisfies Operations
