// Written by `npm run generate` from src/operations.ts. Do not edit.

export const LIMITS: readonly { operation: string; per_minute: number }[] = [
  {
    "operation": "projects.list",
    "per_minute": 30
  },
  {
    "operation": "projects.create",
    "per_minute": 10
  },
  {
    "operation": "projects.get",
    "per_minute": 30
  },
  {
    "operation": "projects.update",
    "per_minute": 10
  },
  {
    "operation": "projects.article_plan",
    "per_minute": 10
  },
  {
    "operation": "projects.onboarding",
    "per_minute": 5
  },
  {
    "operation": "projects.scan",
    "per_minute": 5
  },
  {
    "operation": "projects.archive",
    "per_minute": 10
  },
  {
    "operation": "projects.unarchive",
    "per_minute": 10
  },
  {
    "operation": "account.get",
    "per_minute": 30
  },
  {
    "operation": "business_context.get",
    "per_minute": 30
  },
  {
    "operation": "audit_log.list",
    "per_minute": 30
  },
  {
    "operation": "events.list",
    "per_minute": 30
  },
  {
    "operation": "keys.create",
    "per_minute": 10
  },
  {
    "operation": "keys.delete",
    "per_minute": 10
  },
  {
    "operation": "invitations.create",
    "per_minute": 10
  },
  {
    "operation": "exports.create",
    "per_minute": 3
  },
  {
    "operation": "articles.list",
    "per_minute": 30
  },
  {
    "operation": "articles.create",
    "per_minute": 10
  },
  {
    "operation": "articles.get",
    "per_minute": 30
  },
  {
    "operation": "articles.brief",
    "per_minute": 60
  },
  {
    "operation": "articles.revisions",
    "per_minute": 30
  },
  {
    "operation": "articles.revision",
    "per_minute": 30
  },
  {
    "operation": "articles.delete",
    "per_minute": 10
  },
  {
    "operation": "articles.generate",
    "per_minute": 5
  },
  {
    "operation": "articles.update",
    "per_minute": 10
  },
  {
    "operation": "articles.restore",
    "per_minute": 10
  },
  {
    "operation": "articles.sync",
    "per_minute": 10
  },
  {
    "operation": "articles.publish",
    "per_minute": 5
  },
  {
    "operation": "articles.unpublish",
    "per_minute": 10
  },
  {
    "operation": "articles.detach",
    "per_minute": 10
  },
  {
    "operation": "articles.address",
    "per_minute": 10
  },
  {
    "operation": "articles.rollback",
    "per_minute": 10
  },
  {
    "operation": "deliveries.list",
    "per_minute": 30
  },
  {
    "operation": "deliveries.get",
    "per_minute": 30
  },
  {
    "operation": "deliveries.replay",
    "per_minute": 10
  },
  {
    "operation": "projects.cms_site",
    "per_minute": 10
  },
  {
    "operation": "integrations.list",
    "per_minute": 30
  },
  {
    "operation": "integrations.get",
    "per_minute": 30
  },
  {
    "operation": "integrations.update",
    "per_minute": 10
  },
  {
    "operation": "integrations.connect",
    "per_minute": 10
  },
  {
    "operation": "integrations.test",
    "per_minute": 10
  },
  {
    "operation": "integrations.delete",
    "per_minute": 10
  },
  {
    "operation": "integrations.catalog",
    "per_minute": 30
  },
  {
    "operation": "integrations.how_to_connect",
    "per_minute": 30
  },
  {
    "operation": "research.internal_links",
    "per_minute": 10
  },
  {
    "operation": "backlinks.targets",
    "per_minute": 10
  },
  {
    "operation": "backlinks.list",
    "per_minute": 30
  },
  {
    "operation": "backlinks.status",
    "per_minute": 30
  },
  {
    "operation": "backlinks.ledger",
    "per_minute": 30
  },
  {
    "operation": "keywords.search",
    "per_minute": 5
  },
  {
    "operation": "provider_keys.list",
    "per_minute": 30
  },
  {
    "operation": "provider_keys.save",
    "per_minute": 10
  },
  {
    "operation": "provider_keys.delete",
    "per_minute": 10
  },
  {
    "operation": "images.create",
    "per_minute": 30
  },
  {
    "operation": "social.media",
    "per_minute": 10
  },
  {
    "operation": "screenshots.take",
    "per_minute": 30
  },
  {
    "operation": "screenshots.get",
    "per_minute": 30
  },
  {
    "operation": "visibility.get",
    "per_minute": 30
  },
  {
    "operation": "visibility.answers",
    "per_minute": 30
  },
  {
    "operation": "visibility.scans",
    "per_minute": 30
  },
  {
    "operation": "visibility.scan",
    "per_minute": 6
  },
  {
    "operation": "visibility.prompts.add",
    "per_minute": 20
  },
  {
    "operation": "visibility.prompts.remove",
    "per_minute": 20
  },
  {
    "operation": "search.performance",
    "per_minute": 10
  },
  {
    "operation": "search.history",
    "per_minute": 30
  },
  {
    "operation": "search.standing",
    "per_minute": 30
  },
  {
    "operation": "search.connect",
    "per_minute": 10
  },
  {
    "operation": "search.choose_property",
    "per_minute": 10
  },
  {
    "operation": "search.disconnect",
    "per_minute": 10
  },
  {
    "operation": "suggestions.list",
    "per_minute": 30
  },
  {
    "operation": "suggestions.run",
    "per_minute": 3
  },
  {
    "operation": "suggestions.effects",
    "per_minute": 30
  },
  {
    "operation": "suggestions.get",
    "per_minute": 30
  },
  {
    "operation": "suggestions.diff",
    "per_minute": 30
  },
  {
    "operation": "suggestions.approve",
    "per_minute": 10
  },
  {
    "operation": "suggestions.reject",
    "per_minute": 10
  },
  {
    "operation": "suggestions.publish",
    "per_minute": 5
  },
  {
    "operation": "suggestions.regenerate",
    "per_minute": 10
  },
  {
    "operation": "outreach.entitlement",
    "per_minute": 30
  },
  {
    "operation": "outreach.sync",
    "per_minute": 10
  },
  {
    "operation": "outreach.export",
    "per_minute": 10
  },
  {
    "operation": "outreach.erase",
    "per_minute": 10
  },
  {
    "operation": "crowdwork.list",
    "per_minute": 30
  },
  {
    "operation": "crowdwork.create",
    "per_minute": 10
  },
  {
    "operation": "crowdwork.register",
    "per_minute": 10
  },
  {
    "operation": "crowdwork.get",
    "per_minute": 30
  },
  {
    "operation": "crowdwork.slots",
    "per_minute": 30
  },
  {
    "operation": "crowdwork.proofs",
    "per_minute": 10
  },
  {
    "operation": "crowdwork.rate",
    "per_minute": 10
  },
  {
    "operation": "crowdwork.spend",
    "per_minute": 30
  },
  {
    "operation": "social.accounts",
    "per_minute": 30
  },
  {
    "operation": "social.connect",
    "per_minute": 10
  },
  {
    "operation": "social.disconnect",
    "per_minute": 10
  },
  {
    "operation": "social.publish",
    "per_minute": 10
  },
  {
    "operation": "social.posts",
    "per_minute": 30
  },
  {
    "operation": "social.post",
    "per_minute": 30
  },
  {
    "operation": "social.publish_post",
    "per_minute": 5
  },
  {
    "operation": "social.delete_post",
    "per_minute": 10
  },
  {
    "operation": "social.comment_for_guide",
    "per_minute": 10
  },
  {
    "operation": "profile.status",
    "per_minute": 30
  },
  {
    "operation": "profile.reviews",
    "per_minute": 30
  },
  {
    "operation": "profile.reply",
    "per_minute": 10
  },
  {
    "operation": "profile.remove_reply",
    "per_minute": 10
  },
  {
    "operation": "profile.post",
    "per_minute": 10
  },
  {
    "operation": "profile.analytics",
    "per_minute": 30
  }
]
