// Written by `npm run generate` from src/operations.ts. Do not edit.
import type { Commands } from './operation.ts'

export const COMMANDS: Commands = {
  "projects.list": {
    "method": "GET",
    "path": "/projects",
    "summary": "Lists the active projects",
    "query": {
      "limit": "n",
      "offset": "n",
      "before_id": "n"
    }
  },
  "projects.create": {
    "method": "POST",
    "path": "/projects",
    "summary": "Creates and configures a project",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "website_url": "s",
      "ai_instructions": "s",
      "business_name": "s",
      "business_aliases": "s",
      "business_description": "s",
      "target_audience": "s",
      "sitemap_url": "s",
      "blog_root_url": "s",
      "content_pillars": "s",
      "internal_links_per_article": "n",
      "internal_links": "n",
      "tone": "s",
      "language": "s",
      "keyword_region": "s",
      "primary_location": "s",
      "writing_profile": "s",
      "product_positioning": "s",
      "custom_author_name": "s",
      "social_media_ai_instructions": "s",
      "publish_time": "s",
      "timezone": "s",
      "publishing_status": "s",
      "social_media_publishing_status": "s",
      "image_hosting": "s",
      "image_style": "s",
      "brand_color": "s",
      "image_prompt_instructions": "s",
      "title_based_featured_image": "b",
      "cta_intensity": "s",
      "first_person_writing": "b",
      "table_of_contents": "b",
      "avoid_formulaic_section_endings": "b",
      "require_operational_examples": "b",
      "strict_banned_phrase_guard": "b",
      "banned_phrases": "s",
      "extra_banned_phrases": "s",
      "brand_intelligence": "b",
      "duplicate_content_protection": "b",
      "duplicate_content_guard_enabled": "b",
      "videos_enabled": "b",
      "backlinks_network": "b",
      "competitors": "s",
      "competitor_websites": "s",
      "weekly_suggestions": "b",
      "crowdwork_budget": "n"
    }
  },
  "projects.get": {
    "method": "GET",
    "path": "/projects/:id",
    "summary": "One project with its settings and article plans"
  },
  "projects.update": {
    "method": "PUT",
    "path": "/projects/:id",
    "summary": "Changes the sent settings and nothing else",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "ai_instructions": "s",
      "business_name": "s",
      "business_aliases": "s",
      "business_description": "s",
      "target_audience": "s",
      "sitemap_url": "s",
      "blog_root_url": "s",
      "content_pillars": "s",
      "internal_links_per_article": "n",
      "internal_links": "n",
      "tone": "s",
      "language": "s",
      "keyword_region": "s",
      "primary_location": "s",
      "writing_profile": "s",
      "product_positioning": "s",
      "custom_author_name": "s",
      "social_media_ai_instructions": "s",
      "publish_time": "s",
      "timezone": "s",
      "publishing_status": "s",
      "social_media_publishing_status": "s",
      "image_hosting": "s",
      "image_style": "s",
      "brand_color": "s",
      "image_prompt_instructions": "s",
      "title_based_featured_image": "b",
      "cta_intensity": "s",
      "first_person_writing": "b",
      "table_of_contents": "b",
      "avoid_formulaic_section_endings": "b",
      "require_operational_examples": "b",
      "strict_banned_phrase_guard": "b",
      "banned_phrases": "s",
      "extra_banned_phrases": "s",
      "brand_intelligence": "b",
      "duplicate_content_protection": "b",
      "duplicate_content_guard_enabled": "b",
      "videos_enabled": "b",
      "backlinks_network": "b",
      "competitors": "s",
      "competitor_websites": "s",
      "weekly_suggestions": "b",
      "crowdwork_budget": "n"
    }
  },
  "projects.article_plan": {
    "method": "POST",
    "path": "/projects/:id/article-plan",
    "summary": "Chooses how many articles a month are planned",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "plan": "n"
    }
  },
  "projects.onboarding": {
    "method": "POST",
    "path": "/projects/:id/onboarding",
    "summary": "Researches keywords and plans a month of articles, once",
    "query": {
      "dry_run": "b"
    }
  },
  "projects.scan": {
    "method": "POST",
    "path": "/projects/:id/scan",
    "summary": "Scans the project’s site again",
    "query": {
      "dry_run": "b"
    }
  },
  "projects.archive": {
    "method": "POST",
    "path": "/projects/:id/archive",
    "summary": "Archives a project and frees its slot",
    "query": {
      "dry_run": "b"
    }
  },
  "projects.unarchive": {
    "method": "POST",
    "path": "/projects/:id/unarchive",
    "summary": "Makes an archived project active again, which takes a slot",
    "query": {
      "dry_run": "b"
    }
  },
  "account.get": {
    "method": "GET",
    "path": "/account",
    "summary": "What the account has left"
  },
  "business_context.get": {
    "method": "GET",
    "path": "/business-context",
    "summary": "What a writer needs to know of the business",
    "query": {
      "project_id": "n"
    }
  },
  "audit_log.list": {
    "method": "GET",
    "path": "/audit-log",
    "summary": "What was changed in the account, by whom and when, newest first, kept for 400 days",
    "query": {
      "action": "s",
      "actor": "s",
      "since": "s",
      "limit": "n",
      "offset": "n",
      "before_id": "n"
    }
  },
  "events.list": {
    "method": "GET",
    "path": "/events",
    "summary": "What happened to articles, approvals, deliveries, suggestions, integrations, posts, replies, campaigns and projects, oldest first, kept for 30 days",
    "query": {
      "after": "n",
      "limit": "n"
    }
  },
  "keys.create": {
    "method": "POST",
    "path": "/keys",
    "summary": "Makes a key with the scope `read` or `draft`. It is shown once",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "name": "s",
      "scope": "s",
      "expires_at": "s"
    }
  },
  "keys.delete": {
    "method": "DELETE",
    "path": "/keys/:id",
    "summary": "Revokes a key of the account, at once and everywhere",
    "query": {
      "dry_run": "b"
    }
  },
  "invitations.create": {
    "method": "POST",
    "path": "/invitations",
    "summary": "Invites a person into the account as a member, or as an editor or a client of one project",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "email": "s",
      "role": "s",
      "project_id": "n"
    }
  },
  "exports.create": {
    "method": "POST",
    "path": "/exports",
    "summary": "Has a copy of everything in the account made",
    "query": {
      "dry_run": "b"
    }
  },
  "policy.get": {
    "method": "GET",
    "path": "/projects/:id/policy",
    "summary": "What a person decided about a project"
  },
  "approvals.list": {
    "method": "GET",
    "path": "/approvals",
    "summary": "Lists what waits for a person to approve it, and what was decided, newest first",
    "query": {
      "project_id": "n",
      "status": "l",
      "kind": "l",
      "article_id": "n",
      "limit": "n",
      "offset": "n",
      "before_id": "n"
    }
  },
  "approvals.get": {
    "method": "GET",
    "path": "/approvals/:id",
    "summary": "One approval"
  },
  "calls.plan": {
    "method": "POST",
    "path": "/plan",
    "summary": "Says of intended calls which are allowed, what they cost and how long they take",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "calls": "j"
    }
  },
  "projects.export": {
    "method": "POST",
    "path": "/projects/:id/export",
    "summary": "Starts an archive of one project",
    "query": {
      "dry_run": "b"
    }
  },
  "exports.get": {
    "method": "GET",
    "path": "/exports/:id",
    "summary": "Progress of a project’s archive"
  },
  "exports.archive": {
    "method": "GET",
    "path": "/exports/:id/archive",
    "summary": "The archive of a project as JSON Lines, one row a line, for `POST /projects/import`."
  },
  "projects.import": {
    "method": "POST",
    "path": "/projects/import",
    "summary": "Creates a project from an archive",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "file": "s",
      "export_id": "n"
    }
  },
  "imports.get": {
    "method": "GET",
    "path": "/imports/:id",
    "summary": "Progress of an import"
  },
  "articles.list": {
    "method": "GET",
    "path": "/articles",
    "summary": "Lists articles, newest first",
    "query": {
      "limit": "n",
      "offset": "n",
      "before_id": "n",
      "project_id": "n",
      "status": "l",
      "publish_state": "l",
      "updated_after": "s",
      "scheduled_after": "s",
      "scheduled_before": "s",
      "q": "s"
    }
  },
  "articles.create": {
    "method": "POST",
    "path": "/articles",
    "summary": "Saves a new article as Draft or Planned",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "project_id": "n",
      "keyword": "s",
      "slug": "s",
      "content": "s",
      "content_format": "s",
      "title": "s",
      "meta_description": "s",
      "feature_image": "s",
      "alt_text": "s",
      "category": "s",
      "tags": "s",
      "seo_title": "s",
      "canonical_url": "s",
      "status": "s",
      "scheduled_date": "s",
      "article_style": "s",
      "published_at": "s",
      "instructions": "s"
    }
  },
  "articles.get": {
    "method": "GET",
    "path": "/articles/:id",
    "summary": "One article with its content"
  },
  "articles.brief": {
    "method": "GET",
    "path": "/articles/:id/brief",
    "summary": "What is needed to write one planned article, and until when it can be claimed"
  },
  "articles.revisions": {
    "method": "GET",
    "path": "/articles/:id/revisions",
    "summary": "Lists the versions of an article, newest first, the current one included",
    "query": {
      "limit": "n",
      "offset": "n",
      "before_id": "n"
    }
  },
  "articles.revision": {
    "method": "GET",
    "path": "/articles/:id/revisions/:revision",
    "summary": "One version of an article with its content"
  },
  "articles.delete": {
    "method": "DELETE",
    "path": "/articles/:id",
    "summary": "Removes a Draft or Planned article",
    "query": {
      "dry_run": "b"
    }
  },
  "articles.generate": {
    "method": "POST",
    "path": "/articles/generate",
    "summary": "Lets the service write an article from notes",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "project_id": "n",
      "keyword": "s",
      "source_content": "s",
      "instructions": "s",
      "title": "s",
      "article_style": "s"
    }
  },
  "articles.update": {
    "method": "PUT",
    "path": "/articles/:id",
    "summary": "Changes the sent fields of a Draft or Planned article",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "keyword": "s",
      "slug": "s",
      "content": "s",
      "content_format": "s",
      "title": "s",
      "meta_description": "s",
      "feature_image": "s",
      "alt_text": "s",
      "category": "s",
      "tags": "s",
      "seo_title": "s",
      "canonical_url": "s",
      "status": "s",
      "scheduled_date": "s",
      "article_style": "s",
      "published_at": "s",
      "instructions": "s",
      "sync": "b"
    }
  },
  "articles.restore": {
    "method": "POST",
    "path": "/articles/:id/revisions/:revision/restore",
    "summary": "Makes an earlier version the newest one",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "sync": "b"
    }
  },
  "articles.sync": {
    "method": "POST",
    "path": "/articles/:id/sync",
    "summary": "Saves edits of a published article and sends them to the target once, as an update",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "content": "s",
      "content_format": "s",
      "title": "s",
      "meta_description": "s",
      "feature_image": "s",
      "alt_text": "s",
      "category": "s",
      "tags": "s",
      "seo_title": "s",
      "canonical_url": "s"
    }
  },
  "articles.publish": {
    "method": "POST",
    "path": "/articles/:id/publish",
    "summary": "Publishes an article to the connected target, once",
    "query": {
      "dry_run": "b"
    }
  },
  "articles.unpublish": {
    "method": "POST",
    "path": "/articles/:id/unpublish",
    "summary": "Takes a published article down",
    "query": {
      "dry_run": "b"
    }
  },
  "articles.detach": {
    "method": "POST",
    "path": "/articles/:id/detach",
    "summary": "Lets go of the post of a published article, which stays at the site",
    "query": {
      "dry_run": "b"
    }
  },
  "articles.address": {
    "method": "POST",
    "path": "/articles/:id/address",
    "summary": "Tells where readers find a published article whose address is not known or no longer shows it",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "url": "s"
    }
  },
  "articles.rollback": {
    "method": "POST",
    "path": "/articles/:id/rollback",
    "summary": "Puts back what the CMS showed before the last change made there",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "version_id": "n"
    }
  },
  "deliveries.list": {
    "method": "GET",
    "path": "/webhook-deliveries",
    "summary": "Lists deliveries, newest first",
    "query": {
      "limit": "n",
      "offset": "n",
      "before_id": "n",
      "project_id": "n",
      "article_id": "n",
      "status": "s"
    }
  },
  "deliveries.get": {
    "method": "GET",
    "path": "/webhook-deliveries/:id",
    "summary": "One delivery with its attempts"
  },
  "deliveries.replay": {
    "method": "POST",
    "path": "/webhook-deliveries/:id/replay",
    "summary": "Sends a finished delivery again with the same key and content",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "force": "b"
    }
  },
  "undo": {
    "method": "POST",
    "path": "/undo",
    "summary": "Takes back what a key or a request did, newest first, as far as that can be done, and says of each change what became of it",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "key_id": "n",
      "request_id": "s",
      "since": "s",
      "dry_run": "b",
      "before_id": "n",
      "limit": "n"
    }
  },
  "projects.cms_site": {
    "method": "POST",
    "path": "/projects/:id/cms-site",
    "summary": "Connects a WordPress site through the service's plugin or an application password",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "cms_url": "s",
      "wordpress_url": "s",
      "integration_key": "s",
      "cms_username": "s",
      "wp_username": "s"
    }
  },
  "integrations.list": {
    "method": "GET",
    "path": "/integrations",
    "summary": "Lists active integrations",
    "query": {
      "limit": "n",
      "offset": "n",
      "before_id": "n",
      "project_id": "n"
    }
  },
  "integrations.get": {
    "method": "GET",
    "path": "/integrations/:id",
    "summary": "One active integration"
  },
  "integrations.update": {
    "method": "PUT",
    "path": "/integrations/:id",
    "summary": "Changes the name, or the token and signing secret of a webhook",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "name": "s",
      "access_token": "s",
      "rotate_signing_secret": "b"
    }
  },
  "integrations.connect": {
    "method": "POST",
    "path": "/projects/:id/integrations",
    "summary": "Connects a publishing target in place of the one the project had",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "platform": "s",
      "name": "s",
      "url": "s",
      "access_token": "s",
      "cms_url": "s",
      "cms_username": "s",
      "integration_key": "s",
      "api_token": "s",
      "site_id": "s",
      "collection_id": "s",
      "field_mapping": "j",
      "url_prefix": "s",
      "shop": "s",
      "client_id": "s",
      "client_secret": "s",
      "blog_id": "s",
      "api_url": "s",
      "admin_api_key": "s",
      "api_key": "s",
      "member_id": "s",
      "integration_token": "s",
      "database_id": "s",
      "property_mapping": "j",
      "private_token": "s",
      "location_id": "s",
      "blog_url": "s",
      "author_id": "s",
      "category_ids": "l",
      "default_image_url": "s",
      "project_url": "s",
      "collection": "s",
      "publish_site": "b"
    }
  },
  "integrations.test": {
    "method": "POST",
    "path": "/integrations/:id/test",
    "summary": "Sends a test to the target, which stores no post",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "sample": "b"
    }
  },
  "integrations.delete": {
    "method": "DELETE",
    "path": "/integrations/:id",
    "summary": "Disconnects an integration and deletes its secrets",
    "query": {
      "dry_run": "b"
    }
  },
  "integrations.catalog": {
    "method": "GET",
    "path": "/integrations/catalog",
    "summary": "Everything that can be connected to a project, with what is connected already",
    "query": {
      "project_id": "n",
      "category": "s"
    }
  },
  "integrations.how_to_connect": {
    "method": "GET",
    "path": "/integrations/connect",
    "summary": "How a person connects one integration",
    "query": {
      "project_id": "n",
      "integration": "s"
    }
  },
  "research.internal_links": {
    "method": "GET",
    "path": "/internal-links",
    "summary": "Pages of the project’s own site to link to, at most 20: its content pillars, then those nearest the keyword",
    "query": {
      "project_id": "n",
      "keyword": "s"
    }
  },
  "backlinks.targets": {
    "method": "GET",
    "path": "/backlink-targets",
    "summary": "Partners’ pages worth linking to for a keyword, at most 5, best first",
    "query": {
      "project_id": "n",
      "keyword": "s"
    }
  },
  "backlinks.list": {
    "method": "GET",
    "path": "/backlinks",
    "summary": "Links the project received",
    "query": {
      "project_id": "n",
      "earned_limit": "n",
      "earned_before_id": "n",
      "scheduled_limit": "n",
      "scheduled_before_id": "n"
    }
  },
  "backlinks.status": {
    "method": "GET",
    "path": "/backlinks/status",
    "summary": "Where the project stands in the backlink exchange",
    "query": {
      "project_id": "n"
    }
  },
  "backlinks.ledger": {
    "method": "GET",
    "path": "/backlinks/ledger",
    "summary": "Every change of the project’s backlink credits, newest first",
    "query": {
      "project_id": "n",
      "limit": "n",
      "offset": "n",
      "before_id": "n"
    }
  },
  "keywords.search": {
    "method": "POST",
    "path": "/keywords/search",
    "summary": "The keyword and up to 20 related ones (`limit` counts all, 50 at most) with searches a month and difficulty",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "keyword": "s",
      "project_id": "n",
      "limit": "n",
      "source": "s"
    }
  },
  "provider_keys.list": {
    "method": "GET",
    "path": "/provider-keys",
    "summary": "The account’s own keys of keyword providers, never the secrets themselves"
  },
  "provider_keys.save": {
    "method": "PUT",
    "path": "/provider-keys/:provider",
    "summary": "Saves the account’s own key of a provider in place of the one before",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "login": "s",
      "password": "s",
      "api_key": "s"
    }
  },
  "provider_keys.delete": {
    "method": "DELETE",
    "path": "/provider-keys/:provider",
    "summary": "Deletes the account’s own key of a provider",
    "query": {
      "dry_run": "b"
    }
  },
  "images.create": {
    "method": "POST",
    "path": "/images",
    "summary": "Hosts an image",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "image_base64": "s",
      "image_url": "s"
    }
  },
  "social.media": {
    "method": "POST",
    "path": "/social/media",
    "summary": "Takes in a picture or video for posts",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "project_id": "n",
      "file": "j",
      "media_url": "s"
    }
  },
  "screenshots.take": {
    "method": "POST",
    "path": "/screenshots",
    "summary": "Takes a picture of a public page, 1280 × 800. It is ready after about 20 seconds",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "url": "s",
      "name": "s"
    }
  },
  "screenshots.get": {
    "method": "GET",
    "path": "/screenshots/:screenshot_id",
    "summary": "The state of a screenshot"
  },
  "visibility.get": {
    "method": "GET",
    "path": "/ai-visibility",
    "summary": "What AI engines say of the business, in five views",
    "query": {
      "project_id": "n",
      "view": "s",
      "page": "n",
      "per_page": "n"
    }
  },
  "visibility.answers": {
    "method": "GET",
    "path": "/ai-visibility/answers",
    "summary": "The raw answers behind every number, newest first",
    "query": {
      "project_id": "n",
      "scan_id": "n",
      "prompt_id": "n",
      "engine": "l",
      "limit": "n",
      "offset": "n",
      "before_id": "n"
    }
  },
  "visibility.scans": {
    "method": "GET",
    "path": "/ai-visibility/scans",
    "summary": "The scans of a project and what each cost, newest first",
    "query": {
      "project_id": "n",
      "limit": "n",
      "offset": "n",
      "before_id": "n"
    }
  },
  "visibility.scan": {
    "method": "POST",
    "path": "/ai-visibility/scan",
    "summary": "Asks the engines now",
    "query": {
      "project_id": "n",
      "samples": "n",
      "dry_run": "b"
    },
    "body": {
      "project_id": "n",
      "samples": "n"
    }
  },
  "visibility.prompts.add": {
    "method": "POST",
    "path": "/ai-visibility/prompts",
    "summary": "Adds a question that AI engines are asked on the next scan",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "project_id": "n",
      "prompt": "s"
    }
  },
  "visibility.prompts.remove": {
    "method": "DELETE",
    "path": "/ai-visibility/prompts",
    "summary": "Stops asking a question",
    "query": {
      "project_id": "n",
      "prompt": "s",
      "dry_run": "b"
    },
    "body": {
      "project_id": "n",
      "prompt": "s"
    }
  },
  "search.performance": {
    "method": "GET",
    "path": "/search-console",
    "summary": "Queries and pages of the site in Google Search, with totals",
    "query": {
      "project_id": "n",
      "days": "n",
      "limit": "n",
      "start_row": "n",
      "compare": "b"
    }
  },
  "search.history": {
    "method": "GET",
    "path": "/search-console/history",
    "summary": "Clicks, impressions and position day by day, of the whole site or of one page",
    "query": {
      "project_id": "n",
      "page": "s",
      "days": "n"
    }
  },
  "search.standing": {
    "method": "GET",
    "path": "/projects/:id/search-console",
    "summary": "How the project’s connection to Google Search Console stands, and which properties it could use"
  },
  "search.connect": {
    "method": "POST",
    "path": "/projects/:id/search-console/connect",
    "summary": "An address at which a person connects the project to Google Search Console, valid for an hour",
    "query": {
      "dry_run": "b"
    }
  },
  "search.choose_property": {
    "method": "PUT",
    "path": "/projects/:id/search-console",
    "summary": "Chooses the Search Console property the project reads",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "property": "s"
    }
  },
  "search.disconnect": {
    "method": "DELETE",
    "path": "/projects/:id/search-console",
    "summary": "Disconnects Google Search Console and withdraws the access at Google",
    "query": {
      "dry_run": "b"
    }
  },
  "suggestions.list": {
    "method": "GET",
    "path": "/suggestions",
    "summary": "Lists what could be done better about the articles of a project, newest first, with counts by state",
    "query": {
      "project_id": "n",
      "status": "l",
      "type": "l",
      "limit": "n",
      "offset": "n",
      "before_id": "n"
    }
  },
  "suggestions.run": {
    "method": "POST",
    "path": "/suggestions/run",
    "summary": "Looks through the search data of a project and suggests articles to improve, as the weekly run does",
    "query": {
      "project_id": "n",
      "dry_run": "b"
    },
    "body": {
      "project_id": "n"
    }
  },
  "suggestions.effects": {
    "method": "GET",
    "path": "/suggestions/effects",
    "summary": "What published rewrites and syncs did to the clicks of their pages, summed up and one by one, newest first",
    "query": {
      "project_id": "n",
      "kind": "s",
      "limit": "n",
      "offset": "n",
      "before_id": "n"
    }
  },
  "suggestions.get": {
    "method": "GET",
    "path": "/suggestions/:id",
    "summary": "Reads a suggestion, with the proposed change once it is ready"
  },
  "suggestions.diff": {
    "method": "GET",
    "path": "/suggestions/:id/diff",
    "summary": "The article before and after the proposed change, and the difference as HTML."
  },
  "suggestions.approve": {
    "method": "POST",
    "path": "/suggestions/:id/approve",
    "summary": "Approves a pending suggestion and starts the rewrite",
    "query": {
      "dry_run": "b"
    }
  },
  "suggestions.reject": {
    "method": "POST",
    "path": "/suggestions/:id/reject",
    "summary": "Rejects a suggestion that is not published",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "reason": "s"
    }
  },
  "suggestions.publish": {
    "method": "POST",
    "path": "/suggestions/:id/publish",
    "summary": "Publishes a ready rewrite as an update of the live article",
    "query": {
      "dry_run": "b"
    }
  },
  "suggestions.regenerate": {
    "method": "POST",
    "path": "/suggestions/:id/regenerate",
    "summary": "Requests another rewrite, with feedback to the writer",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "feedback": "s"
    }
  },
  "outreach.entitlement": {
    "method": "GET",
    "path": "/outreach/entitlement",
    "summary": "Whether the account may sync an outreach mirror"
  },
  "outreach.sync": {
    "method": "POST",
    "path": "/outreach/sync",
    "summary": "Mirrors rows of the caller’s outreach database by their ids",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "since": "s",
      "persons": "j",
      "identities": "j",
      "leads": "j",
      "actions": "j",
      "suppressions": "j"
    }
  },
  "outreach.export": {
    "method": "GET",
    "path": "/outreach/export",
    "summary": "The whole mirror as newline-delimited JSON, a row a line as it was sent, to be synced elsewhere"
  },
  "outreach.erase": {
    "method": "POST",
    "path": "/outreach/erase",
    "summary": "Erases a person by id or by address, with everything that belongs to them",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "id": "s",
      "address": "s"
    }
  },
  "crowdwork.list": {
    "method": "GET",
    "path": "/crowdwork/campaigns",
    "summary": "Lists the campaigns of the account as they were last seen, newest first",
    "query": {
      "project_id": "n",
      "status": "l",
      "limit": "n",
      "offset": "n",
      "before_id": "n"
    }
  },
  "crowdwork.create": {
    "method": "POST",
    "path": "/crowdwork/campaigns",
    "summary": "Makes a template and a campaign from it",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "project_id": "n",
      "title": "s",
      "description": "s",
      "template_html": "s",
      "available_positions": "n",
      "payment_per_task": "n",
      "platform": "s",
      "campaign_type": "s",
      "category_id": "s",
      "minutes_to_finish": "n",
      "ttr": "n",
      "speed": "n",
      "template_title": "s",
      "number_of_file_proofs": "n",
      "allowed_file_types": "l"
    }
  },
  "crowdwork.register": {
    "method": "POST",
    "path": "/crowdwork/campaigns/register",
    "summary": "Registers a campaign that was made at the provider",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "campaign_id": "s",
      "project_id": "n"
    }
  },
  "crowdwork.get": {
    "method": "GET",
    "path": "/crowdwork/campaigns/:campaign_id",
    "summary": "A campaign by the provider’s id, with its current state there"
  },
  "crowdwork.slots": {
    "method": "GET",
    "path": "/crowdwork/campaigns/:campaign_id/slots",
    "summary": "What workers handed in, newest first",
    "query": {
      "page": "n",
      "pageSize": "n",
      "page_size": "n",
      "status": "s"
    }
  },
  "crowdwork.proofs": {
    "method": "GET",
    "path": "/crowdwork/campaigns/:campaign_id/proofs",
    "summary": "Everything workers handed in, as CSV with a line for each proof"
  },
  "crowdwork.rate": {
    "method": "POST",
    "path": "/crowdwork/slots/:slot_id/rate",
    "summary": "Rates what a worker handed in",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "campaign_id": "s",
      "rating": "s",
      "comment": "s"
    }
  },
  "crowdwork.spend": {
    "method": "GET",
    "path": "/crowdwork/spend",
    "summary": "What a project’s campaigns of a month cost, and what its `crowdwork_budget` leaves",
    "query": {
      "project_id": "n",
      "month": "s"
    }
  },
  "social.accounts": {
    "method": "GET",
    "path": "/social/accounts",
    "summary": "The accounts of social networks that a project can post from, and those that a person has to connect again",
    "query": {
      "project_id": "n"
    }
  },
  "social.connect": {
    "method": "POST",
    "path": "/social/accounts",
    "summary": "Connects an account",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "project_id": "n",
      "platform": "s"
    }
  },
  "social.disconnect": {
    "method": "DELETE",
    "path": "/social/accounts/:account_id",
    "summary": "Disconnects an account that was connected directly, and deletes its secrets",
    "query": {
      "dry_run": "b"
    }
  },
  "social.publish": {
    "method": "POST",
    "path": "/social/publish",
    "summary": "Publishes a post on one or more networks, now or at a time, once on each",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "project_id": "n",
      "content": "s",
      "platforms": "j",
      "account_id": "s",
      "link": "s",
      "media_files": "j",
      "platform_overrides": "j",
      "scheduled_for": "s",
      "draft": "b",
      "allow_duplicate": "b",
      "is_comment_for_guide": "b",
      "comment_for_guide_config": "j"
    }
  },
  "social.posts": {
    "method": "GET",
    "path": "/social/posts",
    "summary": "Posts, newest first",
    "query": {
      "limit": "n",
      "offset": "n",
      "before_id": "n",
      "project_id": "n",
      "status": "l",
      "platform": "s"
    }
  },
  "social.post": {
    "method": "GET",
    "path": "/social/posts/:post_id",
    "summary": "One post and how it stands"
  },
  "social.publish_post": {
    "method": "POST",
    "path": "/social/posts/:post_id/publish",
    "summary": "Publishes a draft, or tries a failed post again, now or at a time",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "content": "s",
      "scheduled_for": "s"
    }
  },
  "social.delete_post": {
    "method": "DELETE",
    "path": "/social/posts/:post_id",
    "summary": "Removes a post that is not out",
    "query": {
      "dry_run": "b"
    }
  },
  "social.comment_for_guide": {
    "method": "PUT",
    "path": "/social/posts/:post_id/comment-for-guide",
    "summary": "Sets, changes or stops the rule that answers commenters of a post with a link",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "is_comment_for_guide": "b",
      "comment_for_guide_config": "j"
    }
  },
  "profile.status": {
    "method": "GET",
    "path": "/profile/status",
    "summary": "Whether a Google Business Profile is connected, and how it is rated",
    "query": {
      "project_id": "n",
      "account_id": "s"
    }
  },
  "profile.reviews": {
    "method": "GET",
    "path": "/profile/reviews",
    "summary": "Reviews of the business with their replies, newest first",
    "query": {
      "project_id": "n",
      "account_id": "s",
      "has_reply": "b",
      "min_rating": "n",
      "max_rating": "n",
      "sort_by": "s",
      "sort_order": "s",
      "limit": "n",
      "cursor": "s"
    }
  },
  "profile.reply": {
    "method": "POST",
    "path": "/profile/reviews/reply",
    "summary": "Replies to a review in public, in place of the reply it has",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "project_id": "n",
      "account_id": "s",
      "review_id": "s",
      "message": "s"
    }
  },
  "profile.remove_reply": {
    "method": "DELETE",
    "path": "/profile/reviews/reply",
    "summary": "Takes the reply to a review back",
    "query": {
      "project_id": "n",
      "account_id": "s",
      "review_id": "s",
      "dry_run": "b"
    },
    "body": {
      "project_id": "n",
      "account_id": "s",
      "review_id": "s"
    }
  },
  "profile.post": {
    "method": "POST",
    "path": "/profile/posts",
    "summary": "Publishes a post on the business profile, once",
    "query": {
      "dry_run": "b"
    },
    "body": {
      "project_id": "n",
      "account_id": "s",
      "summary": "s",
      "text": "s",
      "media_url": "s",
      "image_url": "s",
      "call_to_action": "j",
      "link": "s",
      "scheduled_date": "s",
      "allow_duplicate": "b"
    }
  },
  "profile.analytics": {
    "method": "GET",
    "path": "/profile/analytics",
    "summary": "How often the profile was seen and what people did there, in total and by day",
    "query": {
      "project_id": "n",
      "account_id": "s",
      "days": "n"
    }
  }
}
