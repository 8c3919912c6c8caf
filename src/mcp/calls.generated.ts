// Written by `npm run generate` from src/operations.ts. Do not edit.
import type { Calls } from './call.ts'

export const CALLS: Calls = {
  "GET /projects": {
    "method": "GET",
    "path": "/projects",
    "group": "projects",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "limit",
      "offset",
      "before_id"
    ]
  },
  "POST /projects": {
    "method": "POST",
    "path": "/projects",
    "group": "projects",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "GET /projects/:id": {
    "method": "GET",
    "path": "/projects/:id",
    "group": "projects",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "PUT /projects/:id": {
    "method": "PUT",
    "path": "/projects/:id",
    "group": "projects",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "POST /projects/:id/article-plan": {
    "method": "POST",
    "path": "/projects/:id/article-plan",
    "group": "projects",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "POST /projects/:id/onboarding": {
    "method": "POST",
    "path": "/projects/:id/onboarding",
    "group": "projects",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /projects/:id/scan": {
    "method": "POST",
    "path": "/projects/:id/scan",
    "group": "projects",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /projects/:id/archive": {
    "method": "POST",
    "path": "/projects/:id/archive",
    "group": "projects",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /projects/:id/unarchive": {
    "method": "POST",
    "path": "/projects/:id/unarchive",
    "group": "projects",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /account": {
    "method": "GET",
    "path": "/account",
    "group": "projects",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /business-context": {
    "method": "GET",
    "path": "/business-context",
    "group": "projects",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id"
    ]
  },
  "GET /audit-log": {
    "method": "GET",
    "path": "/audit-log",
    "group": "projects",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "action",
      "actor",
      "since",
      "limit",
      "offset",
      "before_id"
    ]
  },
  "GET /events": {
    "method": "GET",
    "path": "/events",
    "group": "projects",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "after",
      "limit"
    ]
  },
  "POST /keys": {
    "method": "POST",
    "path": "/keys",
    "group": "projects",
    "scope": "admin",
    "acceptsBody": true,
    "queryNames": []
  },
  "DELETE /keys/:id": {
    "method": "DELETE",
    "path": "/keys/:id",
    "group": "projects",
    "scope": "admin",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /invitations": {
    "method": "POST",
    "path": "/invitations",
    "group": "projects",
    "scope": "admin",
    "acceptsBody": true,
    "queryNames": []
  },
  "POST /exports": {
    "method": "POST",
    "path": "/exports",
    "group": "projects",
    "scope": "admin",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /projects/:id/policy": {
    "method": "GET",
    "path": "/projects/:id/policy",
    "group": "projects",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /approvals": {
    "method": "GET",
    "path": "/approvals",
    "group": "projects",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "status",
      "kind",
      "article_id",
      "limit",
      "offset",
      "before_id"
    ]
  },
  "GET /approvals/:id": {
    "method": "GET",
    "path": "/approvals/:id",
    "group": "projects",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /plan": {
    "method": "POST",
    "path": "/plan",
    "group": "projects",
    "scope": "read",
    "acceptsBody": true,
    "queryNames": []
  },
  "POST /projects/:id/export": {
    "method": "POST",
    "path": "/projects/:id/export",
    "group": "projects",
    "scope": "admin",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /exports/:id": {
    "method": "GET",
    "path": "/exports/:id",
    "group": "projects",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /exports/:id/archive": {
    "method": "GET",
    "path": "/exports/:id/archive",
    "group": "projects",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /projects/import": {
    "method": "POST",
    "path": "/projects/import",
    "group": "projects",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "GET /imports/:id": {
    "method": "GET",
    "path": "/imports/:id",
    "group": "projects",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /articles": {
    "method": "GET",
    "path": "/articles",
    "group": "articles",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "limit",
      "offset",
      "before_id",
      "project_id",
      "status",
      "publish_state",
      "updated_after",
      "scheduled_after",
      "scheduled_before",
      "q"
    ]
  },
  "POST /articles": {
    "method": "POST",
    "path": "/articles",
    "group": "articles",
    "scope": "draft",
    "acceptsBody": true,
    "queryNames": []
  },
  "GET /articles/:id": {
    "method": "GET",
    "path": "/articles/:id",
    "group": "articles",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /articles/:id/brief": {
    "method": "GET",
    "path": "/articles/:id/brief",
    "group": "articles",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /articles/:id/revisions": {
    "method": "GET",
    "path": "/articles/:id/revisions",
    "group": "articles",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "limit",
      "offset",
      "before_id"
    ]
  },
  "GET /articles/:id/revisions/:revision": {
    "method": "GET",
    "path": "/articles/:id/revisions/:revision",
    "group": "articles",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "DELETE /articles/:id": {
    "method": "DELETE",
    "path": "/articles/:id",
    "group": "articles",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /articles/generate": {
    "method": "POST",
    "path": "/articles/generate",
    "group": "articles",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "PUT /articles/:id": {
    "method": "PUT",
    "path": "/articles/:id",
    "group": "editing",
    "scope": "draft",
    "acceptsBody": true,
    "queryNames": []
  },
  "POST /articles/:id/revisions/:revision/restore": {
    "method": "POST",
    "path": "/articles/:id/revisions/:revision/restore",
    "group": "editing",
    "scope": "draft",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /articles/:id/sync": {
    "method": "POST",
    "path": "/articles/:id/sync",
    "group": "editing",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /articles/:id/publish": {
    "method": "POST",
    "path": "/articles/:id/publish",
    "group": "publishing",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /articles/:id/unpublish": {
    "method": "POST",
    "path": "/articles/:id/unpublish",
    "group": "publishing",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /articles/:id/detach": {
    "method": "POST",
    "path": "/articles/:id/detach",
    "group": "publishing",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /articles/:id/address": {
    "method": "POST",
    "path": "/articles/:id/address",
    "group": "publishing",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "POST /articles/:id/rollback": {
    "method": "POST",
    "path": "/articles/:id/rollback",
    "group": "publishing",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /webhook-deliveries": {
    "method": "GET",
    "path": "/webhook-deliveries",
    "group": "publishing",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "limit",
      "offset",
      "before_id",
      "project_id",
      "article_id",
      "status"
    ]
  },
  "GET /webhook-deliveries/:id": {
    "method": "GET",
    "path": "/webhook-deliveries/:id",
    "group": "publishing",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /webhook-deliveries/:id/replay": {
    "method": "POST",
    "path": "/webhook-deliveries/:id/replay",
    "group": "publishing",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /undo": {
    "method": "POST",
    "path": "/undo",
    "group": "publishing",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "POST /projects/:id/cms-site": {
    "method": "POST",
    "path": "/projects/:id/cms-site",
    "group": "integrations",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "GET /integrations": {
    "method": "GET",
    "path": "/integrations",
    "group": "integrations",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "limit",
      "offset",
      "before_id",
      "project_id"
    ]
  },
  "GET /integrations/:id": {
    "method": "GET",
    "path": "/integrations/:id",
    "group": "integrations",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "PUT /integrations/:id": {
    "method": "PUT",
    "path": "/integrations/:id",
    "group": "integrations",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "POST /projects/:id/integrations": {
    "method": "POST",
    "path": "/projects/:id/integrations",
    "group": "integrations",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "POST /integrations/:id/test": {
    "method": "POST",
    "path": "/integrations/:id/test",
    "group": "integrations",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "DELETE /integrations/:id": {
    "method": "DELETE",
    "path": "/integrations/:id",
    "group": "integrations",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /integrations/catalog": {
    "method": "GET",
    "path": "/integrations/catalog",
    "group": "integrations",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "category"
    ]
  },
  "GET /integrations/connect": {
    "method": "GET",
    "path": "/integrations/connect",
    "group": "integrations",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "integration"
    ]
  },
  "GET /internal-links": {
    "method": "GET",
    "path": "/internal-links",
    "group": "research",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "keyword"
    ]
  },
  "GET /backlink-targets": {
    "method": "GET",
    "path": "/backlink-targets",
    "group": "research",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "keyword"
    ]
  },
  "GET /backlinks": {
    "method": "GET",
    "path": "/backlinks",
    "group": "research",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "earned_limit",
      "earned_before_id",
      "scheduled_limit",
      "scheduled_before_id"
    ]
  },
  "GET /backlinks/status": {
    "method": "GET",
    "path": "/backlinks/status",
    "group": "research",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id"
    ]
  },
  "GET /backlinks/ledger": {
    "method": "GET",
    "path": "/backlinks/ledger",
    "group": "research",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "limit",
      "offset",
      "before_id"
    ]
  },
  "POST /keywords/search": {
    "method": "POST",
    "path": "/keywords/search",
    "group": "research",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "GET /provider-keys": {
    "method": "GET",
    "path": "/provider-keys",
    "group": "research",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "PUT /provider-keys/:provider": {
    "method": "PUT",
    "path": "/provider-keys/:provider",
    "group": "research",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "DELETE /provider-keys/:provider": {
    "method": "DELETE",
    "path": "/provider-keys/:provider",
    "group": "research",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /images": {
    "method": "POST",
    "path": "/images",
    "group": "media",
    "scope": "draft",
    "acceptsBody": true,
    "queryNames": []
  },
  "POST /social/media": {
    "method": "POST",
    "path": "/social/media",
    "group": "media",
    "scope": "draft",
    "acceptsBody": true,
    "queryNames": []
  },
  "POST /screenshots": {
    "method": "POST",
    "path": "/screenshots",
    "group": "media",
    "scope": "draft",
    "acceptsBody": true,
    "queryNames": []
  },
  "GET /screenshots/:screenshot_id": {
    "method": "GET",
    "path": "/screenshots/:screenshot_id",
    "group": "media",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /ai-visibility": {
    "method": "GET",
    "path": "/ai-visibility",
    "group": "insights",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "view",
      "page",
      "per_page"
    ]
  },
  "GET /ai-visibility/answers": {
    "method": "GET",
    "path": "/ai-visibility/answers",
    "group": "insights",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "scan_id",
      "prompt_id",
      "engine",
      "limit",
      "offset",
      "before_id"
    ]
  },
  "GET /ai-visibility/scans": {
    "method": "GET",
    "path": "/ai-visibility/scans",
    "group": "insights",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "limit",
      "offset",
      "before_id"
    ]
  },
  "POST /ai-visibility/scan": {
    "method": "POST",
    "path": "/ai-visibility/scan",
    "group": "insights",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "samples"
    ]
  },
  "POST /ai-visibility/prompts": {
    "method": "POST",
    "path": "/ai-visibility/prompts",
    "group": "insights",
    "scope": "draft",
    "acceptsBody": true,
    "queryNames": []
  },
  "DELETE /ai-visibility/prompts": {
    "method": "DELETE",
    "path": "/ai-visibility/prompts",
    "group": "insights",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "prompt"
    ]
  },
  "GET /search-console": {
    "method": "GET",
    "path": "/search-console",
    "group": "insights",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "days",
      "limit",
      "start_row",
      "compare"
    ]
  },
  "GET /search-console/history": {
    "method": "GET",
    "path": "/search-console/history",
    "group": "insights",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "page",
      "days"
    ]
  },
  "GET /projects/:id/search-console": {
    "method": "GET",
    "path": "/projects/:id/search-console",
    "group": "insights",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /projects/:id/search-console/connect": {
    "method": "POST",
    "path": "/projects/:id/search-console/connect",
    "group": "insights",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "PUT /projects/:id/search-console": {
    "method": "PUT",
    "path": "/projects/:id/search-console",
    "group": "insights",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "DELETE /projects/:id/search-console": {
    "method": "DELETE",
    "path": "/projects/:id/search-console",
    "group": "insights",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /suggestions": {
    "method": "GET",
    "path": "/suggestions",
    "group": "suggestions",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "status",
      "type",
      "limit",
      "offset",
      "before_id"
    ]
  },
  "POST /suggestions/run": {
    "method": "POST",
    "path": "/suggestions/run",
    "group": "suggestions",
    "scope": "draft",
    "acceptsBody": false,
    "queryNames": [
      "project_id"
    ]
  },
  "GET /suggestions/effects": {
    "method": "GET",
    "path": "/suggestions/effects",
    "group": "suggestions",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "kind",
      "limit",
      "offset",
      "before_id"
    ]
  },
  "GET /suggestions/:id": {
    "method": "GET",
    "path": "/suggestions/:id",
    "group": "suggestions",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /suggestions/:id/diff": {
    "method": "GET",
    "path": "/suggestions/:id/diff",
    "group": "suggestions",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /suggestions/:id/approve": {
    "method": "POST",
    "path": "/suggestions/:id/approve",
    "group": "suggestions",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /suggestions/:id/reject": {
    "method": "POST",
    "path": "/suggestions/:id/reject",
    "group": "suggestions",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /suggestions/:id/publish": {
    "method": "POST",
    "path": "/suggestions/:id/publish",
    "group": "suggestions",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /suggestions/:id/regenerate": {
    "method": "POST",
    "path": "/suggestions/:id/regenerate",
    "group": "suggestions",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /outreach/entitlement": {
    "method": "GET",
    "path": "/outreach/entitlement",
    "group": "reach",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /outreach/sync": {
    "method": "POST",
    "path": "/outreach/sync",
    "group": "reach",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "GET /outreach/export": {
    "method": "GET",
    "path": "/outreach/export",
    "group": "reach",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /outreach/erase": {
    "method": "POST",
    "path": "/outreach/erase",
    "group": "reach",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "GET /crowdwork/campaigns": {
    "method": "GET",
    "path": "/crowdwork/campaigns",
    "group": "reach",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "status",
      "limit",
      "offset",
      "before_id"
    ]
  },
  "POST /crowdwork/campaigns": {
    "method": "POST",
    "path": "/crowdwork/campaigns",
    "group": "reach",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "POST /crowdwork/campaigns/register": {
    "method": "POST",
    "path": "/crowdwork/campaigns/register",
    "group": "reach",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "GET /crowdwork/campaigns/:campaign_id": {
    "method": "GET",
    "path": "/crowdwork/campaigns/:campaign_id",
    "group": "reach",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "GET /crowdwork/campaigns/:campaign_id/slots": {
    "method": "GET",
    "path": "/crowdwork/campaigns/:campaign_id/slots",
    "group": "reach",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "page",
      "pageSize",
      "page_size",
      "status"
    ]
  },
  "GET /crowdwork/campaigns/:campaign_id/proofs": {
    "method": "GET",
    "path": "/crowdwork/campaigns/:campaign_id/proofs",
    "group": "reach",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /crowdwork/slots/:slot_id/rate": {
    "method": "POST",
    "path": "/crowdwork/slots/:slot_id/rate",
    "group": "reach",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "GET /crowdwork/spend": {
    "method": "GET",
    "path": "/crowdwork/spend",
    "group": "reach",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "month"
    ]
  },
  "GET /social/accounts": {
    "method": "GET",
    "path": "/social/accounts",
    "group": "social",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id"
    ]
  },
  "POST /social/accounts": {
    "method": "POST",
    "path": "/social/accounts",
    "group": "social",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "DELETE /social/accounts/:account_id": {
    "method": "DELETE",
    "path": "/social/accounts/:account_id",
    "group": "social",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /social/publish": {
    "method": "POST",
    "path": "/social/publish",
    "group": "social",
    "scope": "draft",
    "acceptsBody": true,
    "queryNames": []
  },
  "GET /social/posts": {
    "method": "GET",
    "path": "/social/posts",
    "group": "social",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "limit",
      "offset",
      "before_id",
      "project_id",
      "status",
      "platform"
    ]
  },
  "GET /social/posts/:post_id": {
    "method": "GET",
    "path": "/social/posts/:post_id",
    "group": "social",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": []
  },
  "POST /social/posts/:post_id/publish": {
    "method": "POST",
    "path": "/social/posts/:post_id/publish",
    "group": "social",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "DELETE /social/posts/:post_id": {
    "method": "DELETE",
    "path": "/social/posts/:post_id",
    "group": "social",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": []
  },
  "PUT /social/posts/:post_id/comment-for-guide": {
    "method": "PUT",
    "path": "/social/posts/:post_id/comment-for-guide",
    "group": "social",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "GET /profile/status": {
    "method": "GET",
    "path": "/profile/status",
    "group": "social",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "account_id"
    ]
  },
  "GET /profile/reviews": {
    "method": "GET",
    "path": "/profile/reviews",
    "group": "social",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "account_id",
      "has_reply",
      "min_rating",
      "max_rating",
      "sort_by",
      "sort_order",
      "limit",
      "cursor"
    ]
  },
  "POST /profile/reviews/reply": {
    "method": "POST",
    "path": "/profile/reviews/reply",
    "group": "social",
    "scope": "write",
    "acceptsBody": true,
    "queryNames": []
  },
  "DELETE /profile/reviews/reply": {
    "method": "DELETE",
    "path": "/profile/reviews/reply",
    "group": "social",
    "scope": "write",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "account_id",
      "review_id"
    ]
  },
  "POST /profile/posts": {
    "method": "POST",
    "path": "/profile/posts",
    "group": "social",
    "scope": "draft",
    "acceptsBody": true,
    "queryNames": []
  },
  "GET /profile/analytics": {
    "method": "GET",
    "path": "/profile/analytics",
    "group": "social",
    "scope": "read",
    "acceptsBody": false,
    "queryNames": [
      "project_id",
      "account_id",
      "days"
    ]
  }
}
