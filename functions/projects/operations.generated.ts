// Written by `npm run generate` from src/operations.ts. Do not edit.
import type { CallableOperation } from '../../src/platform/http/operation.ts'

export const CALLABLE: readonly CallableOperation[] = [
  {
    "operation": "projects.list",
    "method": "GET",
    "paths": [
      "/projects"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "projects.create",
    "method": "POST",
    "paths": [
      "/projects"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [
      {
        "unit": "project_slots",
        "amount": 1,
        "note": "one project slot; no credit"
      }
    ],
    "seconds": 60
  },
  {
    "operation": "projects.get",
    "method": "GET",
    "paths": [
      "/projects/:id"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "projects.update",
    "method": "PUT",
    "paths": [
      "/projects/:id"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "projects.article_plan",
    "method": "POST",
    "paths": [
      "/projects/:id/article-plan"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "projects.onboarding",
    "method": "POST",
    "paths": [
      "/projects/:id/onboarding"
    ],
    "perMinute": 5,
    "scope": "write",
    "costs": [
      {
        "unit": "article_credits",
        "amount": null,
        "note": "no credit by itself; each planned article costs 1 article credit when the writer starts it"
      }
    ],
    "seconds": 300
  },
  {
    "operation": "projects.scan",
    "method": "POST",
    "paths": [
      "/projects/:id/scan"
    ],
    "perMinute": 5,
    "scope": "write",
    "costs": [],
    "seconds": 60
  },
  {
    "operation": "projects.archive",
    "method": "POST",
    "paths": [
      "/projects/:id/archive"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "projects.unarchive",
    "method": "POST",
    "paths": [
      "/projects/:id/unarchive"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [
      {
        "unit": "project_slots",
        "amount": 1,
        "note": "one project slot; no credit"
      }
    ],
    "seconds": 1
  },
  {
    "operation": "account.get",
    "method": "GET",
    "paths": [
      "/account"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "business_context.get",
    "method": "GET",
    "paths": [
      "/business-context"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "audit_log.list",
    "method": "GET",
    "paths": [
      "/audit-log"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "events.list",
    "method": "GET",
    "paths": [
      "/events"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "keys.create",
    "method": "POST",
    "paths": [
      "/keys"
    ],
    "perMinute": 10,
    "scope": "admin",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "keys.delete",
    "method": "DELETE",
    "paths": [
      "/keys/:id"
    ],
    "perMinute": 10,
    "scope": "admin",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "invitations.create",
    "method": "POST",
    "paths": [
      "/invitations"
    ],
    "perMinute": 10,
    "scope": "admin",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "exports.create",
    "method": "POST",
    "paths": [
      "/exports"
    ],
    "perMinute": 3,
    "scope": "admin",
    "costs": [],
    "seconds": 60
  },
  {
    "operation": "policy.get",
    "method": "GET",
    "paths": [
      "/projects/:id/policy"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "approvals.list",
    "method": "GET",
    "paths": [
      "/approvals"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "approvals.get",
    "method": "GET",
    "paths": [
      "/approvals/:id"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "calls.plan",
    "method": "POST",
    "paths": [
      "/plan"
    ],
    "perMinute": 10,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "projects.export",
    "method": "POST",
    "paths": [
      "/projects/:id/export"
    ],
    "perMinute": 3,
    "scope": "admin",
    "costs": [],
    "seconds": 30
  },
  {
    "operation": "exports.get",
    "method": "GET",
    "paths": [
      "/exports/:id"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "exports.archive",
    "method": "GET",
    "paths": [
      "/exports/:id/archive"
    ],
    "perMinute": 10,
    "scope": "read",
    "costs": [],
    "seconds": 10
  },
  {
    "operation": "projects.import",
    "method": "POST",
    "paths": [
      "/projects/import"
    ],
    "perMinute": 3,
    "scope": "write",
    "costs": [
      {
        "unit": "project_slots",
        "amount": 1,
        "note": "one project slot, if one is free; no credit"
      }
    ],
    "seconds": 30
  },
  {
    "operation": "imports.get",
    "method": "GET",
    "paths": [
      "/imports/:id"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "articles.list",
    "method": "GET",
    "paths": [
      "/articles"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "articles.create",
    "method": "POST",
    "paths": [
      "/articles"
    ],
    "perMinute": 10,
    "scope": "draft",
    "costs": [
      {
        "unit": "article_credits",
        "amount": null,
        "note": "no credit; the writer uses 1 for a planned article that is not claimed, see `will_be_written`"
      }
    ],
    "seconds": 1
  },
  {
    "operation": "articles.get",
    "method": "GET",
    "paths": [
      "/articles/:id"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "articles.brief",
    "method": "GET",
    "paths": [
      "/articles/:id/brief"
    ],
    "perMinute": 60,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "articles.revisions",
    "method": "GET",
    "paths": [
      "/articles/:id/revisions"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "articles.revision",
    "method": "GET",
    "paths": [
      "/articles/:id/revisions/:revision"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "articles.delete",
    "method": "DELETE",
    "paths": [
      "/articles/:id"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "articles.generate",
    "method": "POST",
    "paths": [
      "/articles/generate"
    ],
    "perMinute": 5,
    "scope": "write",
    "costs": [
      {
        "unit": "article_credits",
        "amount": 1,
        "note": "1 article credit, refunded if the writing fails"
      }
    ],
    "seconds": 180
  },
  {
    "operation": "articles.update",
    "method": "PUT",
    "paths": [
      "/articles/:id"
    ],
    "perMinute": 10,
    "scope": "draft",
    "costs": [
      {
        "unit": "article_credits",
        "amount": null,
        "note": "no credit; the writer uses 1 for a planned article that is not claimed, see `will_be_written`"
      }
    ],
    "seconds": 1
  },
  {
    "operation": "articles.restore",
    "method": "POST",
    "paths": [
      "/articles/:id/revisions/:revision/restore"
    ],
    "perMinute": 10,
    "scope": "draft",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "articles.sync",
    "method": "POST",
    "paths": [
      "/articles/:id/sync"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 5
  },
  {
    "operation": "articles.publish",
    "method": "POST",
    "paths": [
      "/articles/:id/publish"
    ],
    "perMinute": 5,
    "scope": "write",
    "costs": [],
    "seconds": 5
  },
  {
    "operation": "articles.unpublish",
    "method": "POST",
    "paths": [
      "/articles/:id/unpublish"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 5
  },
  {
    "operation": "articles.detach",
    "method": "POST",
    "paths": [
      "/articles/:id/detach"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "articles.address",
    "method": "POST",
    "paths": [
      "/articles/:id/address"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "articles.rollback",
    "method": "POST",
    "paths": [
      "/articles/:id/rollback"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 5
  },
  {
    "operation": "deliveries.list",
    "method": "GET",
    "paths": [
      "/webhook-deliveries"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "deliveries.get",
    "method": "GET",
    "paths": [
      "/webhook-deliveries/:id"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "deliveries.replay",
    "method": "POST",
    "paths": [
      "/webhook-deliveries/:id/replay"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 5
  },
  {
    "operation": "undo",
    "method": "POST",
    "paths": [
      "/undo"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "projects.cms_site",
    "method": "POST",
    "paths": [
      "/projects/:id/cms-site",
      "/projects/:id/wordpress"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "integrations.list",
    "method": "GET",
    "paths": [
      "/integrations"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "integrations.get",
    "method": "GET",
    "paths": [
      "/integrations/:id"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "integrations.update",
    "method": "PUT",
    "paths": [
      "/integrations/:id"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "integrations.connect",
    "method": "POST",
    "paths": [
      "/projects/:id/integrations"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "integrations.test",
    "method": "POST",
    "paths": [
      "/integrations/:id/test"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "integrations.delete",
    "method": "DELETE",
    "paths": [
      "/integrations/:id"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "integrations.catalog",
    "method": "GET",
    "paths": [
      "/integrations/catalog"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "integrations.how_to_connect",
    "method": "GET",
    "paths": [
      "/integrations/connect"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "research.internal_links",
    "method": "GET",
    "paths": [
      "/internal-links"
    ],
    "perMinute": 10,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "backlinks.targets",
    "method": "GET",
    "paths": [
      "/backlink-targets"
    ],
    "perMinute": 10,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "backlinks.list",
    "method": "GET",
    "paths": [
      "/backlinks"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "backlinks.status",
    "method": "GET",
    "paths": [
      "/backlinks/status"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "backlinks.ledger",
    "method": "GET",
    "paths": [
      "/backlinks/ledger"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "keywords.search",
    "method": "POST",
    "paths": [
      "/keywords/search",
      "/keywords/research"
    ],
    "perMinute": 5,
    "scope": "write",
    "costs": [
      {
        "unit": "provider_dollars",
        "amount": null,
        "note": "no credit; with the account’s own keys, the provider’s charges"
      }
    ],
    "seconds": 5
  },
  {
    "operation": "provider_keys.list",
    "method": "GET",
    "paths": [
      "/provider-keys"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "provider_keys.save",
    "method": "PUT",
    "paths": [
      "/provider-keys/:provider"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [
      {
        "unit": "provider_dollars",
        "amount": 0,
        "note": "no credit; the check at the provider is free"
      }
    ],
    "seconds": 1
  },
  {
    "operation": "provider_keys.delete",
    "method": "DELETE",
    "paths": [
      "/provider-keys/:provider"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "images.create",
    "method": "POST",
    "paths": [
      "/images"
    ],
    "perMinute": 30,
    "scope": "draft",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "social.media",
    "method": "POST",
    "paths": [
      "/social/media"
    ],
    "perMinute": 10,
    "scope": "draft",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "screenshots.take",
    "method": "POST",
    "paths": [
      "/screenshots"
    ],
    "perMinute": 30,
    "scope": "draft",
    "costs": [
      {
        "unit": "screenshots",
        "amount": 1,
        "note": "no credit; each new screenshot counts toward the account’s 120 a day"
      }
    ],
    "seconds": 15
  },
  {
    "operation": "screenshots.get",
    "method": "GET",
    "paths": [
      "/screenshots/:screenshot_id"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "visibility.get",
    "method": "GET",
    "paths": [
      "/ai-visibility"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "visibility.answers",
    "method": "GET",
    "paths": [
      "/ai-visibility/answers"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "visibility.scans",
    "method": "GET",
    "paths": [
      "/ai-visibility/scans"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "visibility.scan",
    "method": "POST",
    "paths": [
      "/ai-visibility/scan"
    ],
    "perMinute": 6,
    "scope": "write",
    "costs": [
      {
        "unit": "scans",
        "amount": 1,
        "note": "no credit; one of the project’s daily scans (UTC): 1, 2 or 5, depending on the plan"
      }
    ],
    "seconds": 300
  },
  {
    "operation": "visibility.prompts.add",
    "method": "POST",
    "paths": [
      "/ai-visibility/prompts"
    ],
    "perMinute": 20,
    "scope": "draft",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "visibility.prompts.remove",
    "method": "DELETE",
    "paths": [
      "/ai-visibility/prompts"
    ],
    "perMinute": 20,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "search.performance",
    "method": "GET",
    "paths": [
      "/search-console",
      "/rankings",
      "/analytics"
    ],
    "perMinute": 10,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "search.history",
    "method": "GET",
    "paths": [
      "/search-console/history"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "search.standing",
    "method": "GET",
    "paths": [
      "/projects/:id/search-console"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "search.connect",
    "method": "POST",
    "paths": [
      "/projects/:id/search-console/connect"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "search.choose_property",
    "method": "PUT",
    "paths": [
      "/projects/:id/search-console"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "search.disconnect",
    "method": "DELETE",
    "paths": [
      "/projects/:id/search-console"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "suggestions.list",
    "method": "GET",
    "paths": [
      "/suggestions"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "suggestions.run",
    "method": "POST",
    "paths": [
      "/suggestions/run"
    ],
    "perMinute": 3,
    "scope": "draft",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "suggestions.effects",
    "method": "GET",
    "paths": [
      "/suggestions/effects"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "suggestions.get",
    "method": "GET",
    "paths": [
      "/suggestions/:id"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "suggestions.diff",
    "method": "GET",
    "paths": [
      "/suggestions/:id/diff"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "suggestions.approve",
    "method": "POST",
    "paths": [
      "/suggestions/:id/approve"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 60
  },
  {
    "operation": "suggestions.reject",
    "method": "POST",
    "paths": [
      "/suggestions/:id/reject"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "suggestions.publish",
    "method": "POST",
    "paths": [
      "/suggestions/:id/publish"
    ],
    "perMinute": 5,
    "scope": "write",
    "costs": [],
    "seconds": 5
  },
  {
    "operation": "suggestions.regenerate",
    "method": "POST",
    "paths": [
      "/suggestions/:id/regenerate"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 60
  },
  {
    "operation": "outreach.entitlement",
    "method": "GET",
    "paths": [
      "/outreach/entitlement"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "outreach.sync",
    "method": "POST",
    "paths": [
      "/outreach/sync"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "outreach.export",
    "method": "GET",
    "paths": [
      "/outreach/export"
    ],
    "perMinute": 10,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "outreach.erase",
    "method": "POST",
    "paths": [
      "/outreach/erase"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "crowdwork.list",
    "method": "GET",
    "paths": [
      "/crowdwork/campaigns",
      "/microworkers/campaigns"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "crowdwork.create",
    "method": "POST",
    "paths": [
      "/crowdwork/campaigns",
      "/microworkers/campaigns"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [
      {
        "unit": "dollars",
        "amount": null,
        "note": "no credit; dollars at the provider: `available_positions` × `payment_per_task`, plus its fees. It counts against `crowdwork_budget`"
      }
    ],
    "seconds": 10
  },
  {
    "operation": "crowdwork.register",
    "method": "POST",
    "paths": [
      "/crowdwork/campaigns/register",
      "/microworkers/campaigns/register"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "crowdwork.get",
    "method": "GET",
    "paths": [
      "/crowdwork/campaigns/:campaign_id",
      "/microworkers/campaigns/:campaign_id"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "crowdwork.slots",
    "method": "GET",
    "paths": [
      "/crowdwork/campaigns/:campaign_id/slots",
      "/microworkers/campaigns/:campaign_id/slots"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "crowdwork.proofs",
    "method": "GET",
    "paths": [
      "/crowdwork/campaigns/:campaign_id/proofs",
      "/microworkers/campaigns/:campaign_id/proofs"
    ],
    "perMinute": 10,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "crowdwork.rate",
    "method": "POST",
    "paths": [
      "/crowdwork/slots/:slot_id/rate",
      "/microworkers/slots/:slot_id/rate"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [
      {
        "unit": "dollars",
        "amount": 0,
        "note": "no credit; `OK` pays the worker from the campaign’s reserved funds"
      }
    ],
    "seconds": 1
  },
  {
    "operation": "crowdwork.spend",
    "method": "GET",
    "paths": [
      "/crowdwork/spend",
      "/microworkers/spend"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "social.accounts",
    "method": "GET",
    "paths": [
      "/social/accounts"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "social.connect",
    "method": "POST",
    "paths": [
      "/social/accounts"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "social.disconnect",
    "method": "DELETE",
    "paths": [
      "/social/accounts/:account_id"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "social.publish",
    "method": "POST",
    "paths": [
      "/social/publish"
    ],
    "perMinute": 10,
    "scope": "draft",
    "costs": [],
    "seconds": 10
  },
  {
    "operation": "social.posts",
    "method": "GET",
    "paths": [
      "/social/posts"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "social.post",
    "method": "GET",
    "paths": [
      "/social/posts/:post_id"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "social.publish_post",
    "method": "POST",
    "paths": [
      "/social/posts/:post_id/publish"
    ],
    "perMinute": 5,
    "scope": "write",
    "costs": [],
    "seconds": 10
  },
  {
    "operation": "social.delete_post",
    "method": "DELETE",
    "paths": [
      "/social/posts/:post_id"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "social.comment_for_guide",
    "method": "PUT",
    "paths": [
      "/social/posts/:post_id/comment-for-guide"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "profile.status",
    "method": "GET",
    "paths": [
      "/profile/status",
      "/gbp/status"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "profile.reviews",
    "method": "GET",
    "paths": [
      "/profile/reviews",
      "/gbp/reviews"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "profile.reply",
    "method": "POST",
    "paths": [
      "/profile/reviews/reply",
      "/gbp/reviews/reply"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 5
  },
  {
    "operation": "profile.remove_reply",
    "method": "DELETE",
    "paths": [
      "/profile/reviews/reply",
      "/gbp/reviews/reply"
    ],
    "perMinute": 10,
    "scope": "write",
    "costs": [],
    "seconds": 1
  },
  {
    "operation": "profile.post",
    "method": "POST",
    "paths": [
      "/profile/posts",
      "/gbp/posts"
    ],
    "perMinute": 10,
    "scope": "draft",
    "costs": [],
    "seconds": 5
  },
  {
    "operation": "profile.analytics",
    "method": "GET",
    "paths": [
      "/profile/analytics",
      "/gbp/analytics"
    ],
    "perMinute": 30,
    "scope": "read",
    "costs": [],
    "seconds": 1
  }
]
