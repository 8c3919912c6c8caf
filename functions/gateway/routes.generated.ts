// Written by `npm run generate` from src/operations.ts. Do not edit.
import type { GroupedOperation } from '../../src/operations.ts'

type Routed = Pick<GroupedOperation, 'method' | 'path' | 'group'>

export const ROUTES: readonly (readonly [path: string, operations: readonly Routed[]])[] = [
  [
    "/projects",
    [
      {
        "method": "GET",
        "path": "/projects",
        "group": "projects"
      },
      {
        "method": "POST",
        "path": "/projects",
        "group": "projects"
      }
    ]
  ],
  [
    "/account",
    [
      {
        "method": "GET",
        "path": "/account",
        "group": "projects"
      }
    ]
  ],
  [
    "/business-context",
    [
      {
        "method": "GET",
        "path": "/business-context",
        "group": "projects"
      }
    ]
  ],
  [
    "/audit-log",
    [
      {
        "method": "GET",
        "path": "/audit-log",
        "group": "projects"
      }
    ]
  ],
  [
    "/keys",
    [
      {
        "method": "POST",
        "path": "/keys",
        "group": "projects"
      }
    ]
  ],
  [
    "/invitations",
    [
      {
        "method": "POST",
        "path": "/invitations",
        "group": "projects"
      }
    ]
  ],
  [
    "/exports",
    [
      {
        "method": "POST",
        "path": "/exports",
        "group": "projects"
      }
    ]
  ],
  [
    "/articles",
    [
      {
        "method": "GET",
        "path": "/articles",
        "group": "articles"
      },
      {
        "method": "POST",
        "path": "/articles",
        "group": "articles"
      }
    ]
  ],
  [
    "/articles/generate",
    [
      {
        "method": "POST",
        "path": "/articles/generate",
        "group": "articles"
      }
    ]
  ],
  [
    "/webhook-deliveries",
    [
      {
        "method": "GET",
        "path": "/webhook-deliveries",
        "group": "publishing"
      }
    ]
  ],
  [
    "/integrations",
    [
      {
        "method": "GET",
        "path": "/integrations",
        "group": "integrations"
      }
    ]
  ],
  [
    "/integrations/catalog",
    [
      {
        "method": "GET",
        "path": "/integrations/catalog",
        "group": "integrations"
      }
    ]
  ],
  [
    "/integrations/connect",
    [
      {
        "method": "GET",
        "path": "/integrations/connect",
        "group": "integrations"
      }
    ]
  ],
  [
    "/internal-links",
    [
      {
        "method": "GET",
        "path": "/internal-links",
        "group": "research"
      }
    ]
  ],
  [
    "/backlink-targets",
    [
      {
        "method": "GET",
        "path": "/backlink-targets",
        "group": "research"
      }
    ]
  ],
  [
    "/backlinks",
    [
      {
        "method": "GET",
        "path": "/backlinks",
        "group": "research"
      }
    ]
  ],
  [
    "/backlinks/status",
    [
      {
        "method": "GET",
        "path": "/backlinks/status",
        "group": "research"
      }
    ]
  ],
  [
    "/backlinks/ledger",
    [
      {
        "method": "GET",
        "path": "/backlinks/ledger",
        "group": "research"
      }
    ]
  ],
  [
    "/keywords/search",
    [
      {
        "method": "POST",
        "path": "/keywords/search",
        "group": "research"
      }
    ]
  ],
  [
    "/keywords/research",
    [
      {
        "method": "POST",
        "path": "/keywords/search",
        "group": "research"
      }
    ]
  ],
  [
    "/provider-keys",
    [
      {
        "method": "GET",
        "path": "/provider-keys",
        "group": "research"
      }
    ]
  ],
  [
    "/images",
    [
      {
        "method": "POST",
        "path": "/images",
        "group": "media"
      }
    ]
  ],
  [
    "/social/media",
    [
      {
        "method": "POST",
        "path": "/social/media",
        "group": "media"
      }
    ]
  ],
  [
    "/screenshots",
    [
      {
        "method": "POST",
        "path": "/screenshots",
        "group": "media"
      }
    ]
  ],
  [
    "/ai-visibility",
    [
      {
        "method": "GET",
        "path": "/ai-visibility",
        "group": "insights"
      }
    ]
  ],
  [
    "/ai-visibility/answers",
    [
      {
        "method": "GET",
        "path": "/ai-visibility/answers",
        "group": "insights"
      }
    ]
  ],
  [
    "/ai-visibility/scans",
    [
      {
        "method": "GET",
        "path": "/ai-visibility/scans",
        "group": "insights"
      }
    ]
  ],
  [
    "/ai-visibility/scan",
    [
      {
        "method": "POST",
        "path": "/ai-visibility/scan",
        "group": "insights"
      }
    ]
  ],
  [
    "/ai-visibility/prompts",
    [
      {
        "method": "POST",
        "path": "/ai-visibility/prompts",
        "group": "insights"
      },
      {
        "method": "DELETE",
        "path": "/ai-visibility/prompts",
        "group": "insights"
      }
    ]
  ],
  [
    "/search-console",
    [
      {
        "method": "GET",
        "path": "/search-console",
        "group": "insights"
      }
    ]
  ],
  [
    "/rankings",
    [
      {
        "method": "GET",
        "path": "/search-console",
        "group": "insights"
      }
    ]
  ],
  [
    "/analytics",
    [
      {
        "method": "GET",
        "path": "/search-console",
        "group": "insights"
      }
    ]
  ],
  [
    "/search-console/history",
    [
      {
        "method": "GET",
        "path": "/search-console/history",
        "group": "insights"
      }
    ]
  ],
  [
    "/suggestions",
    [
      {
        "method": "GET",
        "path": "/suggestions",
        "group": "suggestions"
      }
    ]
  ],
  [
    "/suggestions/run",
    [
      {
        "method": "POST",
        "path": "/suggestions/run",
        "group": "suggestions"
      }
    ]
  ],
  [
    "/suggestions/effects",
    [
      {
        "method": "GET",
        "path": "/suggestions/effects",
        "group": "suggestions"
      }
    ]
  ],
  [
    "/outreach/entitlement",
    [
      {
        "method": "GET",
        "path": "/outreach/entitlement",
        "group": "reach"
      }
    ]
  ],
  [
    "/outreach/sync",
    [
      {
        "method": "POST",
        "path": "/outreach/sync",
        "group": "reach"
      }
    ]
  ],
  [
    "/outreach/export",
    [
      {
        "method": "GET",
        "path": "/outreach/export",
        "group": "reach"
      }
    ]
  ],
  [
    "/outreach/erase",
    [
      {
        "method": "POST",
        "path": "/outreach/erase",
        "group": "reach"
      }
    ]
  ],
  [
    "/crowdwork/campaigns",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns",
        "group": "reach"
      },
      {
        "method": "POST",
        "path": "/crowdwork/campaigns",
        "group": "reach"
      }
    ]
  ],
  [
    "/microworkers/campaigns",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns",
        "group": "reach"
      },
      {
        "method": "POST",
        "path": "/crowdwork/campaigns",
        "group": "reach"
      }
    ]
  ],
  [
    "/crowdwork/campaigns/register",
    [
      {
        "method": "POST",
        "path": "/crowdwork/campaigns/register",
        "group": "reach"
      }
    ]
  ],
  [
    "/microworkers/campaigns/register",
    [
      {
        "method": "POST",
        "path": "/crowdwork/campaigns/register",
        "group": "reach"
      }
    ]
  ],
  [
    "/crowdwork/spend",
    [
      {
        "method": "GET",
        "path": "/crowdwork/spend",
        "group": "reach"
      }
    ]
  ],
  [
    "/microworkers/spend",
    [
      {
        "method": "GET",
        "path": "/crowdwork/spend",
        "group": "reach"
      }
    ]
  ],
  [
    "/social/accounts",
    [
      {
        "method": "GET",
        "path": "/social/accounts",
        "group": "social"
      },
      {
        "method": "POST",
        "path": "/social/accounts",
        "group": "social"
      }
    ]
  ],
  [
    "/social/publish",
    [
      {
        "method": "POST",
        "path": "/social/publish",
        "group": "social"
      }
    ]
  ],
  [
    "/social/posts",
    [
      {
        "method": "GET",
        "path": "/social/posts",
        "group": "social"
      }
    ]
  ],
  [
    "/profile/status",
    [
      {
        "method": "GET",
        "path": "/profile/status",
        "group": "social"
      }
    ]
  ],
  [
    "/gbp/status",
    [
      {
        "method": "GET",
        "path": "/profile/status",
        "group": "social"
      }
    ]
  ],
  [
    "/profile/reviews",
    [
      {
        "method": "GET",
        "path": "/profile/reviews",
        "group": "social"
      }
    ]
  ],
  [
    "/gbp/reviews",
    [
      {
        "method": "GET",
        "path": "/profile/reviews",
        "group": "social"
      }
    ]
  ],
  [
    "/profile/reviews/reply",
    [
      {
        "method": "POST",
        "path": "/profile/reviews/reply",
        "group": "social"
      },
      {
        "method": "DELETE",
        "path": "/profile/reviews/reply",
        "group": "social"
      }
    ]
  ],
  [
    "/gbp/reviews/reply",
    [
      {
        "method": "POST",
        "path": "/profile/reviews/reply",
        "group": "social"
      },
      {
        "method": "DELETE",
        "path": "/profile/reviews/reply",
        "group": "social"
      }
    ]
  ],
  [
    "/profile/posts",
    [
      {
        "method": "POST",
        "path": "/profile/posts",
        "group": "social"
      }
    ]
  ],
  [
    "/gbp/posts",
    [
      {
        "method": "POST",
        "path": "/profile/posts",
        "group": "social"
      }
    ]
  ],
  [
    "/profile/analytics",
    [
      {
        "method": "GET",
        "path": "/profile/analytics",
        "group": "social"
      }
    ]
  ],
  [
    "/gbp/analytics",
    [
      {
        "method": "GET",
        "path": "/profile/analytics",
        "group": "social"
      }
    ]
  ],
  [
    "/projects/:id",
    [
      {
        "method": "GET",
        "path": "/projects/:id",
        "group": "projects"
      },
      {
        "method": "PUT",
        "path": "/projects/:id",
        "group": "projects"
      }
    ]
  ],
  [
    "/projects/:id/article-plan",
    [
      {
        "method": "POST",
        "path": "/projects/:id/article-plan",
        "group": "projects"
      }
    ]
  ],
  [
    "/projects/:id/onboarding",
    [
      {
        "method": "POST",
        "path": "/projects/:id/onboarding",
        "group": "projects"
      }
    ]
  ],
  [
    "/projects/:id/scan",
    [
      {
        "method": "POST",
        "path": "/projects/:id/scan",
        "group": "projects"
      }
    ]
  ],
  [
    "/projects/:id/archive",
    [
      {
        "method": "POST",
        "path": "/projects/:id/archive",
        "group": "projects"
      }
    ]
  ],
  [
    "/projects/:id/unarchive",
    [
      {
        "method": "POST",
        "path": "/projects/:id/unarchive",
        "group": "projects"
      }
    ]
  ],
  [
    "/keys/:id",
    [
      {
        "method": "DELETE",
        "path": "/keys/:id",
        "group": "projects"
      }
    ]
  ],
  [
    "/articles/:id",
    [
      {
        "method": "GET",
        "path": "/articles/:id",
        "group": "articles"
      },
      {
        "method": "DELETE",
        "path": "/articles/:id",
        "group": "articles"
      },
      {
        "method": "PUT",
        "path": "/articles/:id",
        "group": "editing"
      }
    ]
  ],
  [
    "/articles/:id/brief",
    [
      {
        "method": "GET",
        "path": "/articles/:id/brief",
        "group": "articles"
      }
    ]
  ],
  [
    "/articles/:id/revisions",
    [
      {
        "method": "GET",
        "path": "/articles/:id/revisions",
        "group": "articles"
      }
    ]
  ],
  [
    "/articles/:id/sync",
    [
      {
        "method": "POST",
        "path": "/articles/:id/sync",
        "group": "editing"
      }
    ]
  ],
  [
    "/articles/:id/publish",
    [
      {
        "method": "POST",
        "path": "/articles/:id/publish",
        "group": "publishing"
      }
    ]
  ],
  [
    "/articles/:id/unpublish",
    [
      {
        "method": "POST",
        "path": "/articles/:id/unpublish",
        "group": "publishing"
      }
    ]
  ],
  [
    "/articles/:id/rollback",
    [
      {
        "method": "POST",
        "path": "/articles/:id/rollback",
        "group": "publishing"
      }
    ]
  ],
  [
    "/webhook-deliveries/:id",
    [
      {
        "method": "GET",
        "path": "/webhook-deliveries/:id",
        "group": "publishing"
      }
    ]
  ],
  [
    "/webhook-deliveries/:id/replay",
    [
      {
        "method": "POST",
        "path": "/webhook-deliveries/:id/replay",
        "group": "publishing"
      }
    ]
  ],
  [
    "/projects/:id/cms-site",
    [
      {
        "method": "POST",
        "path": "/projects/:id/cms-site",
        "group": "integrations"
      }
    ]
  ],
  [
    "/projects/:id/wordpress",
    [
      {
        "method": "POST",
        "path": "/projects/:id/cms-site",
        "group": "integrations"
      }
    ]
  ],
  [
    "/integrations/:id",
    [
      {
        "method": "GET",
        "path": "/integrations/:id",
        "group": "integrations"
      },
      {
        "method": "PUT",
        "path": "/integrations/:id",
        "group": "integrations"
      },
      {
        "method": "DELETE",
        "path": "/integrations/:id",
        "group": "integrations"
      }
    ]
  ],
  [
    "/projects/:id/integrations",
    [
      {
        "method": "POST",
        "path": "/projects/:id/integrations",
        "group": "integrations"
      }
    ]
  ],
  [
    "/integrations/:id/test",
    [
      {
        "method": "POST",
        "path": "/integrations/:id/test",
        "group": "integrations"
      }
    ]
  ],
  [
    "/provider-keys/:provider",
    [
      {
        "method": "PUT",
        "path": "/provider-keys/:provider",
        "group": "research"
      },
      {
        "method": "DELETE",
        "path": "/provider-keys/:provider",
        "group": "research"
      }
    ]
  ],
  [
    "/screenshots/:screenshot_id",
    [
      {
        "method": "GET",
        "path": "/screenshots/:screenshot_id",
        "group": "media"
      }
    ]
  ],
  [
    "/projects/:id/search-console",
    [
      {
        "method": "GET",
        "path": "/projects/:id/search-console",
        "group": "insights"
      },
      {
        "method": "PUT",
        "path": "/projects/:id/search-console",
        "group": "insights"
      },
      {
        "method": "DELETE",
        "path": "/projects/:id/search-console",
        "group": "insights"
      }
    ]
  ],
  [
    "/projects/:id/search-console/connect",
    [
      {
        "method": "POST",
        "path": "/projects/:id/search-console/connect",
        "group": "insights"
      }
    ]
  ],
  [
    "/suggestions/:id",
    [
      {
        "method": "GET",
        "path": "/suggestions/:id",
        "group": "suggestions"
      }
    ]
  ],
  [
    "/suggestions/:id/diff",
    [
      {
        "method": "GET",
        "path": "/suggestions/:id/diff",
        "group": "suggestions"
      }
    ]
  ],
  [
    "/suggestions/:id/approve",
    [
      {
        "method": "POST",
        "path": "/suggestions/:id/approve",
        "group": "suggestions"
      }
    ]
  ],
  [
    "/suggestions/:id/reject",
    [
      {
        "method": "POST",
        "path": "/suggestions/:id/reject",
        "group": "suggestions"
      }
    ]
  ],
  [
    "/suggestions/:id/publish",
    [
      {
        "method": "POST",
        "path": "/suggestions/:id/publish",
        "group": "suggestions"
      }
    ]
  ],
  [
    "/suggestions/:id/regenerate",
    [
      {
        "method": "POST",
        "path": "/suggestions/:id/regenerate",
        "group": "suggestions"
      }
    ]
  ],
  [
    "/crowdwork/campaigns/:campaign_id",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns/:campaign_id",
        "group": "reach"
      }
    ]
  ],
  [
    "/microworkers/campaigns/:campaign_id",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns/:campaign_id",
        "group": "reach"
      }
    ]
  ],
  [
    "/crowdwork/campaigns/:campaign_id/slots",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns/:campaign_id/slots",
        "group": "reach"
      }
    ]
  ],
  [
    "/microworkers/campaigns/:campaign_id/slots",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns/:campaign_id/slots",
        "group": "reach"
      }
    ]
  ],
  [
    "/crowdwork/campaigns/:campaign_id/proofs",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns/:campaign_id/proofs",
        "group": "reach"
      }
    ]
  ],
  [
    "/microworkers/campaigns/:campaign_id/proofs",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns/:campaign_id/proofs",
        "group": "reach"
      }
    ]
  ],
  [
    "/crowdwork/slots/:slot_id/rate",
    [
      {
        "method": "POST",
        "path": "/crowdwork/slots/:slot_id/rate",
        "group": "reach"
      }
    ]
  ],
  [
    "/microworkers/slots/:slot_id/rate",
    [
      {
        "method": "POST",
        "path": "/crowdwork/slots/:slot_id/rate",
        "group": "reach"
      }
    ]
  ],
  [
    "/social/accounts/:account_id",
    [
      {
        "method": "DELETE",
        "path": "/social/accounts/:account_id",
        "group": "social"
      }
    ]
  ],
  [
    "/social/posts/:post_id",
    [
      {
        "method": "GET",
        "path": "/social/posts/:post_id",
        "group": "social"
      },
      {
        "method": "DELETE",
        "path": "/social/posts/:post_id",
        "group": "social"
      }
    ]
  ],
  [
    "/social/posts/:post_id/publish",
    [
      {
        "method": "POST",
        "path": "/social/posts/:post_id/publish",
        "group": "social"
      }
    ]
  ],
  [
    "/social/posts/:post_id/comment-for-guide",
    [
      {
        "method": "PUT",
        "path": "/social/posts/:post_id/comment-for-guide",
        "group": "social"
      }
    ]
  ],
  [
    "/articles/:id/revisions/:revision",
    [
      {
        "method": "GET",
        "path": "/articles/:id/revisions/:revision",
        "group": "articles"
      }
    ]
  ],
  [
    "/articles/:id/revisions/:revision/restore",
    [
      {
        "method": "POST",
        "path": "/articles/:id/revisions/:revision/restore",
        "group": "editing"
      }
    ]
  ]
]
