// Written by `npm run generate` from src/operations.ts. Do not edit.
import type { GroupedOperation } from '../../src/operations.ts'

type Routed = Pick<GroupedOperation, 'method' | 'path' | 'group'> & { isBare: boolean }

export const ROUTES: readonly (readonly [path: string, operations: readonly Routed[]])[] = [
  [
    "/projects",
    [
      {
        "method": "GET",
        "path": "/projects",
        "group": "projects",
        "isBare": true
      },
      {
        "method": "POST",
        "path": "/projects",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/account",
    [
      {
        "method": "GET",
        "path": "/account",
        "group": "projects",
        "isBare": true
      }
    ]
  ],
  [
    "/business-context",
    [
      {
        "method": "GET",
        "path": "/business-context",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/audit-log",
    [
      {
        "method": "GET",
        "path": "/audit-log",
        "group": "projects",
        "isBare": true
      }
    ]
  ],
  [
    "/events",
    [
      {
        "method": "GET",
        "path": "/events",
        "group": "projects",
        "isBare": true
      }
    ]
  ],
  [
    "/keys",
    [
      {
        "method": "POST",
        "path": "/keys",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/invitations",
    [
      {
        "method": "POST",
        "path": "/invitations",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/exports",
    [
      {
        "method": "POST",
        "path": "/exports",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/approvals",
    [
      {
        "method": "GET",
        "path": "/approvals",
        "group": "projects",
        "isBare": true
      }
    ]
  ],
  [
    "/plan",
    [
      {
        "method": "POST",
        "path": "/plan",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/projects/import",
    [
      {
        "method": "POST",
        "path": "/projects/import",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/articles",
    [
      {
        "method": "GET",
        "path": "/articles",
        "group": "articles",
        "isBare": true
      },
      {
        "method": "POST",
        "path": "/articles",
        "group": "articles",
        "isBare": false
      }
    ]
  ],
  [
    "/articles/generate",
    [
      {
        "method": "POST",
        "path": "/articles/generate",
        "group": "articles",
        "isBare": false
      }
    ]
  ],
  [
    "/webhook-deliveries",
    [
      {
        "method": "GET",
        "path": "/webhook-deliveries",
        "group": "publishing",
        "isBare": true
      }
    ]
  ],
  [
    "/undo",
    [
      {
        "method": "POST",
        "path": "/undo",
        "group": "publishing",
        "isBare": false
      }
    ]
  ],
  [
    "/integrations",
    [
      {
        "method": "GET",
        "path": "/integrations",
        "group": "integrations",
        "isBare": true
      }
    ]
  ],
  [
    "/integrations/catalog",
    [
      {
        "method": "GET",
        "path": "/integrations/catalog",
        "group": "integrations",
        "isBare": false
      }
    ]
  ],
  [
    "/integrations/connect",
    [
      {
        "method": "GET",
        "path": "/integrations/connect",
        "group": "integrations",
        "isBare": false
      }
    ]
  ],
  [
    "/internal-links",
    [
      {
        "method": "GET",
        "path": "/internal-links",
        "group": "research",
        "isBare": false
      }
    ]
  ],
  [
    "/backlink-targets",
    [
      {
        "method": "GET",
        "path": "/backlink-targets",
        "group": "research",
        "isBare": false
      }
    ]
  ],
  [
    "/backlinks",
    [
      {
        "method": "GET",
        "path": "/backlinks",
        "group": "research",
        "isBare": false
      }
    ]
  ],
  [
    "/backlinks/status",
    [
      {
        "method": "GET",
        "path": "/backlinks/status",
        "group": "research",
        "isBare": false
      }
    ]
  ],
  [
    "/backlinks/ledger",
    [
      {
        "method": "GET",
        "path": "/backlinks/ledger",
        "group": "research",
        "isBare": false
      }
    ]
  ],
  [
    "/keywords/search",
    [
      {
        "method": "POST",
        "path": "/keywords/search",
        "group": "research",
        "isBare": false
      }
    ]
  ],
  [
    "/keywords/research",
    [
      {
        "method": "POST",
        "path": "/keywords/search",
        "group": "research",
        "isBare": false
      }
    ]
  ],
  [
    "/provider-keys",
    [
      {
        "method": "GET",
        "path": "/provider-keys",
        "group": "research",
        "isBare": true
      }
    ]
  ],
  [
    "/images",
    [
      {
        "method": "POST",
        "path": "/images",
        "group": "media",
        "isBare": false
      }
    ]
  ],
  [
    "/social/media",
    [
      {
        "method": "POST",
        "path": "/social/media",
        "group": "media",
        "isBare": false
      }
    ]
  ],
  [
    "/screenshots",
    [
      {
        "method": "POST",
        "path": "/screenshots",
        "group": "media",
        "isBare": false
      }
    ]
  ],
  [
    "/ai-visibility",
    [
      {
        "method": "GET",
        "path": "/ai-visibility",
        "group": "insights",
        "isBare": false
      }
    ]
  ],
  [
    "/ai-visibility/answers",
    [
      {
        "method": "GET",
        "path": "/ai-visibility/answers",
        "group": "insights",
        "isBare": false
      }
    ]
  ],
  [
    "/ai-visibility/scans",
    [
      {
        "method": "GET",
        "path": "/ai-visibility/scans",
        "group": "insights",
        "isBare": false
      }
    ]
  ],
  [
    "/ai-visibility/scan",
    [
      {
        "method": "POST",
        "path": "/ai-visibility/scan",
        "group": "insights",
        "isBare": false
      }
    ]
  ],
  [
    "/ai-visibility/prompts",
    [
      {
        "method": "POST",
        "path": "/ai-visibility/prompts",
        "group": "insights",
        "isBare": false
      },
      {
        "method": "DELETE",
        "path": "/ai-visibility/prompts",
        "group": "insights",
        "isBare": false
      }
    ]
  ],
  [
    "/search-console",
    [
      {
        "method": "GET",
        "path": "/search-console",
        "group": "insights",
        "isBare": false
      }
    ]
  ],
  [
    "/rankings",
    [
      {
        "method": "GET",
        "path": "/search-console",
        "group": "insights",
        "isBare": false
      }
    ]
  ],
  [
    "/analytics",
    [
      {
        "method": "GET",
        "path": "/search-console",
        "group": "insights",
        "isBare": false
      }
    ]
  ],
  [
    "/search-console/history",
    [
      {
        "method": "GET",
        "path": "/search-console/history",
        "group": "insights",
        "isBare": false
      }
    ]
  ],
  [
    "/suggestions",
    [
      {
        "method": "GET",
        "path": "/suggestions",
        "group": "suggestions",
        "isBare": false
      }
    ]
  ],
  [
    "/suggestions/run",
    [
      {
        "method": "POST",
        "path": "/suggestions/run",
        "group": "suggestions",
        "isBare": false
      }
    ]
  ],
  [
    "/suggestions/effects",
    [
      {
        "method": "GET",
        "path": "/suggestions/effects",
        "group": "suggestions",
        "isBare": false
      }
    ]
  ],
  [
    "/outreach/entitlement",
    [
      {
        "method": "GET",
        "path": "/outreach/entitlement",
        "group": "reach",
        "isBare": true
      }
    ]
  ],
  [
    "/outreach/sync",
    [
      {
        "method": "POST",
        "path": "/outreach/sync",
        "group": "reach",
        "isBare": false
      }
    ]
  ],
  [
    "/outreach/export",
    [
      {
        "method": "GET",
        "path": "/outreach/export",
        "group": "reach",
        "isBare": true
      }
    ]
  ],
  [
    "/outreach/erase",
    [
      {
        "method": "POST",
        "path": "/outreach/erase",
        "group": "reach",
        "isBare": false
      }
    ]
  ],
  [
    "/crowdwork/campaigns",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns",
        "group": "reach",
        "isBare": true
      },
      {
        "method": "POST",
        "path": "/crowdwork/campaigns",
        "group": "reach",
        "isBare": false
      }
    ]
  ],
  [
    "/microworkers/campaigns",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns",
        "group": "reach",
        "isBare": true
      },
      {
        "method": "POST",
        "path": "/crowdwork/campaigns",
        "group": "reach",
        "isBare": false
      }
    ]
  ],
  [
    "/crowdwork/campaigns/register",
    [
      {
        "method": "POST",
        "path": "/crowdwork/campaigns/register",
        "group": "reach",
        "isBare": false
      }
    ]
  ],
  [
    "/microworkers/campaigns/register",
    [
      {
        "method": "POST",
        "path": "/crowdwork/campaigns/register",
        "group": "reach",
        "isBare": false
      }
    ]
  ],
  [
    "/crowdwork/spend",
    [
      {
        "method": "GET",
        "path": "/crowdwork/spend",
        "group": "reach",
        "isBare": false
      }
    ]
  ],
  [
    "/microworkers/spend",
    [
      {
        "method": "GET",
        "path": "/crowdwork/spend",
        "group": "reach",
        "isBare": false
      }
    ]
  ],
  [
    "/social/accounts",
    [
      {
        "method": "GET",
        "path": "/social/accounts",
        "group": "social",
        "isBare": false
      },
      {
        "method": "POST",
        "path": "/social/accounts",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/social/publish",
    [
      {
        "method": "POST",
        "path": "/social/publish",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/social/posts",
    [
      {
        "method": "GET",
        "path": "/social/posts",
        "group": "social",
        "isBare": true
      }
    ]
  ],
  [
    "/profile/status",
    [
      {
        "method": "GET",
        "path": "/profile/status",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/gbp/status",
    [
      {
        "method": "GET",
        "path": "/profile/status",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/profile/reviews",
    [
      {
        "method": "GET",
        "path": "/profile/reviews",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/gbp/reviews",
    [
      {
        "method": "GET",
        "path": "/profile/reviews",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/profile/reviews/reply",
    [
      {
        "method": "POST",
        "path": "/profile/reviews/reply",
        "group": "social",
        "isBare": false
      },
      {
        "method": "DELETE",
        "path": "/profile/reviews/reply",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/gbp/reviews/reply",
    [
      {
        "method": "POST",
        "path": "/profile/reviews/reply",
        "group": "social",
        "isBare": false
      },
      {
        "method": "DELETE",
        "path": "/profile/reviews/reply",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/profile/posts",
    [
      {
        "method": "POST",
        "path": "/profile/posts",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/gbp/posts",
    [
      {
        "method": "POST",
        "path": "/profile/posts",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/profile/analytics",
    [
      {
        "method": "GET",
        "path": "/profile/analytics",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/gbp/analytics",
    [
      {
        "method": "GET",
        "path": "/profile/analytics",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/projects/:id",
    [
      {
        "method": "GET",
        "path": "/projects/:id",
        "group": "projects",
        "isBare": true
      },
      {
        "method": "PUT",
        "path": "/projects/:id",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/projects/:id/article-plan",
    [
      {
        "method": "POST",
        "path": "/projects/:id/article-plan",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/projects/:id/onboarding",
    [
      {
        "method": "POST",
        "path": "/projects/:id/onboarding",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/projects/:id/scan",
    [
      {
        "method": "POST",
        "path": "/projects/:id/scan",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/projects/:id/archive",
    [
      {
        "method": "POST",
        "path": "/projects/:id/archive",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/projects/:id/unarchive",
    [
      {
        "method": "POST",
        "path": "/projects/:id/unarchive",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/keys/:id",
    [
      {
        "method": "DELETE",
        "path": "/keys/:id",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/projects/:id/policy",
    [
      {
        "method": "GET",
        "path": "/projects/:id/policy",
        "group": "projects",
        "isBare": true
      }
    ]
  ],
  [
    "/approvals/:id",
    [
      {
        "method": "GET",
        "path": "/approvals/:id",
        "group": "projects",
        "isBare": true
      }
    ]
  ],
  [
    "/projects/:id/export",
    [
      {
        "method": "POST",
        "path": "/projects/:id/export",
        "group": "projects",
        "isBare": false
      }
    ]
  ],
  [
    "/exports/:id",
    [
      {
        "method": "GET",
        "path": "/exports/:id",
        "group": "projects",
        "isBare": true
      }
    ]
  ],
  [
    "/exports/:id/archive",
    [
      {
        "method": "GET",
        "path": "/exports/:id/archive",
        "group": "projects",
        "isBare": true
      }
    ]
  ],
  [
    "/imports/:id",
    [
      {
        "method": "GET",
        "path": "/imports/:id",
        "group": "projects",
        "isBare": true
      }
    ]
  ],
  [
    "/articles/:id",
    [
      {
        "method": "GET",
        "path": "/articles/:id",
        "group": "articles",
        "isBare": true
      },
      {
        "method": "DELETE",
        "path": "/articles/:id",
        "group": "articles",
        "isBare": false
      },
      {
        "method": "PUT",
        "path": "/articles/:id",
        "group": "editing",
        "isBare": false
      }
    ]
  ],
  [
    "/articles/:id/brief",
    [
      {
        "method": "GET",
        "path": "/articles/:id/brief",
        "group": "articles",
        "isBare": true
      }
    ]
  ],
  [
    "/articles/:id/revisions",
    [
      {
        "method": "GET",
        "path": "/articles/:id/revisions",
        "group": "articles",
        "isBare": true
      }
    ]
  ],
  [
    "/articles/:id/sync",
    [
      {
        "method": "POST",
        "path": "/articles/:id/sync",
        "group": "editing",
        "isBare": false
      }
    ]
  ],
  [
    "/articles/:id/publish",
    [
      {
        "method": "POST",
        "path": "/articles/:id/publish",
        "group": "publishing",
        "isBare": false
      }
    ]
  ],
  [
    "/articles/:id/unpublish",
    [
      {
        "method": "POST",
        "path": "/articles/:id/unpublish",
        "group": "publishing",
        "isBare": false
      }
    ]
  ],
  [
    "/articles/:id/detach",
    [
      {
        "method": "POST",
        "path": "/articles/:id/detach",
        "group": "publishing",
        "isBare": false
      }
    ]
  ],
  [
    "/articles/:id/address",
    [
      {
        "method": "POST",
        "path": "/articles/:id/address",
        "group": "publishing",
        "isBare": false
      }
    ]
  ],
  [
    "/articles/:id/rollback",
    [
      {
        "method": "POST",
        "path": "/articles/:id/rollback",
        "group": "publishing",
        "isBare": false
      }
    ]
  ],
  [
    "/webhook-deliveries/:id",
    [
      {
        "method": "GET",
        "path": "/webhook-deliveries/:id",
        "group": "publishing",
        "isBare": true
      }
    ]
  ],
  [
    "/webhook-deliveries/:id/replay",
    [
      {
        "method": "POST",
        "path": "/webhook-deliveries/:id/replay",
        "group": "publishing",
        "isBare": false
      }
    ]
  ],
  [
    "/projects/:id/cms-site",
    [
      {
        "method": "POST",
        "path": "/projects/:id/cms-site",
        "group": "integrations",
        "isBare": false
      }
    ]
  ],
  [
    "/projects/:id/wordpress",
    [
      {
        "method": "POST",
        "path": "/projects/:id/cms-site",
        "group": "integrations",
        "isBare": false
      }
    ]
  ],
  [
    "/integrations/:id",
    [
      {
        "method": "GET",
        "path": "/integrations/:id",
        "group": "integrations",
        "isBare": true
      },
      {
        "method": "PUT",
        "path": "/integrations/:id",
        "group": "integrations",
        "isBare": false
      },
      {
        "method": "DELETE",
        "path": "/integrations/:id",
        "group": "integrations",
        "isBare": false
      }
    ]
  ],
  [
    "/projects/:id/integrations",
    [
      {
        "method": "POST",
        "path": "/projects/:id/integrations",
        "group": "integrations",
        "isBare": false
      }
    ]
  ],
  [
    "/integrations/:id/test",
    [
      {
        "method": "POST",
        "path": "/integrations/:id/test",
        "group": "integrations",
        "isBare": false
      }
    ]
  ],
  [
    "/provider-keys/:provider",
    [
      {
        "method": "PUT",
        "path": "/provider-keys/:provider",
        "group": "research",
        "isBare": false
      },
      {
        "method": "DELETE",
        "path": "/provider-keys/:provider",
        "group": "research",
        "isBare": false
      }
    ]
  ],
  [
    "/screenshots/:screenshot_id",
    [
      {
        "method": "GET",
        "path": "/screenshots/:screenshot_id",
        "group": "media",
        "isBare": true
      }
    ]
  ],
  [
    "/projects/:id/search-console",
    [
      {
        "method": "GET",
        "path": "/projects/:id/search-console",
        "group": "insights",
        "isBare": true
      },
      {
        "method": "PUT",
        "path": "/projects/:id/search-console",
        "group": "insights",
        "isBare": false
      },
      {
        "method": "DELETE",
        "path": "/projects/:id/search-console",
        "group": "insights",
        "isBare": false
      }
    ]
  ],
  [
    "/projects/:id/search-console/connect",
    [
      {
        "method": "POST",
        "path": "/projects/:id/search-console/connect",
        "group": "insights",
        "isBare": false
      }
    ]
  ],
  [
    "/suggestions/:id",
    [
      {
        "method": "GET",
        "path": "/suggestions/:id",
        "group": "suggestions",
        "isBare": true
      }
    ]
  ],
  [
    "/suggestions/:id/diff",
    [
      {
        "method": "GET",
        "path": "/suggestions/:id/diff",
        "group": "suggestions",
        "isBare": true
      }
    ]
  ],
  [
    "/suggestions/:id/approve",
    [
      {
        "method": "POST",
        "path": "/suggestions/:id/approve",
        "group": "suggestions",
        "isBare": false
      }
    ]
  ],
  [
    "/suggestions/:id/reject",
    [
      {
        "method": "POST",
        "path": "/suggestions/:id/reject",
        "group": "suggestions",
        "isBare": false
      }
    ]
  ],
  [
    "/suggestions/:id/publish",
    [
      {
        "method": "POST",
        "path": "/suggestions/:id/publish",
        "group": "suggestions",
        "isBare": false
      }
    ]
  ],
  [
    "/suggestions/:id/regenerate",
    [
      {
        "method": "POST",
        "path": "/suggestions/:id/regenerate",
        "group": "suggestions",
        "isBare": false
      }
    ]
  ],
  [
    "/crowdwork/campaigns/:campaign_id",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns/:campaign_id",
        "group": "reach",
        "isBare": true
      }
    ]
  ],
  [
    "/microworkers/campaigns/:campaign_id",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns/:campaign_id",
        "group": "reach",
        "isBare": true
      }
    ]
  ],
  [
    "/crowdwork/campaigns/:campaign_id/slots",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns/:campaign_id/slots",
        "group": "reach",
        "isBare": true
      }
    ]
  ],
  [
    "/microworkers/campaigns/:campaign_id/slots",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns/:campaign_id/slots",
        "group": "reach",
        "isBare": true
      }
    ]
  ],
  [
    "/crowdwork/campaigns/:campaign_id/proofs",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns/:campaign_id/proofs",
        "group": "reach",
        "isBare": true
      }
    ]
  ],
  [
    "/microworkers/campaigns/:campaign_id/proofs",
    [
      {
        "method": "GET",
        "path": "/crowdwork/campaigns/:campaign_id/proofs",
        "group": "reach",
        "isBare": true
      }
    ]
  ],
  [
    "/crowdwork/slots/:slot_id/rate",
    [
      {
        "method": "POST",
        "path": "/crowdwork/slots/:slot_id/rate",
        "group": "reach",
        "isBare": false
      }
    ]
  ],
  [
    "/microworkers/slots/:slot_id/rate",
    [
      {
        "method": "POST",
        "path": "/crowdwork/slots/:slot_id/rate",
        "group": "reach",
        "isBare": false
      }
    ]
  ],
  [
    "/social/accounts/:account_id",
    [
      {
        "method": "DELETE",
        "path": "/social/accounts/:account_id",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/social/posts/:post_id",
    [
      {
        "method": "GET",
        "path": "/social/posts/:post_id",
        "group": "social",
        "isBare": true
      },
      {
        "method": "DELETE",
        "path": "/social/posts/:post_id",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/social/posts/:post_id/publish",
    [
      {
        "method": "POST",
        "path": "/social/posts/:post_id/publish",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/social/posts/:post_id/comment-for-guide",
    [
      {
        "method": "PUT",
        "path": "/social/posts/:post_id/comment-for-guide",
        "group": "social",
        "isBare": false
      }
    ]
  ],
  [
    "/articles/:id/revisions/:revision",
    [
      {
        "method": "GET",
        "path": "/articles/:id/revisions/:revision",
        "group": "articles",
        "isBare": true
      }
    ]
  ],
  [
    "/articles/:id/revisions/:revision/restore",
    [
      {
        "method": "POST",
        "path": "/articles/:id/revisions/:revision/restore",
        "group": "editing",
        "isBare": false
      }
    ]
  ]
]
