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
    "summary": "Returns a project with its settings and article plans"
  },
  "projects.update": {
    "method": "PUT",
    "path": "/projects/:id",
    "summary": "Changes the settings that you send",
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
    "summary": "Sets the number of planned articles per month",
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
    "summary": "Researches keywords and plans a month of articles",
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
    "summary": "Makes an archived project active again",
    "query": {
      "dry_run": "b"
    }
  },
  "account.get": {
    "method": "GET",
    "path": "/account",
    "summary": "Returns the account’s plan, remaining credits and project slots, limits, and the permissions of the key"
  },
  "business_context.get": {
    "method": "GET",
    "path": "/business-context",
    "summary": "Returns what a writer needs to know about the business",
    "query": {
      "project_id": "n"
    }
  },
  "audit_log.list": {
    "method": "GET",
    "path": "/audit-log",
    "summary": "Lists changes in the account with actor and time, newest first",
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
    "summary": "Lists events of articles, approvals, deliveries, suggestions, integrations, posts, replies, campaigns and projects, oldest first",
    "query": {
      "after": "n",
      "limit": "n"
    }
  },
  "keys.create": {
    "method": "POST",
    "path": "/keys",
    "summary": "Creates a key with the scope `read` or `draft`. The key is returned only once",
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
    "summary": "Revokes a key of the account immediately",
    "query": {
      "dry_run": "b"
    }
  },
  "invitations.create": {
    "method": "POST",
    "path": "/invitations",
    "summary": "Invites a person to the account as a member, or to one project as an editor or a client",
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
    "summary": "Starts an export of the whole account",
    "query": {
      "dry_run": "b"
    }
  },
  "policy.get": {
    "method": "GET",
    "path": "/projects/:id/policy",
    "summary": "Returns the policy of a project"
  },
  "approvals.list": {
    "method": "GET",
    "path": "/approvals",
    "summary": "Lists approvals, open and decided, newest first",
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
    "summary": "Returns an approval"
  },
  "calls.plan": {
    "method": "POST",
    "path": "/plan",
    "summary": "Checks planned calls",
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
    "summary": "Returns the progress of a project archive"
  },
  "exports.archive": {
    "method": "GET",
    "path": "/exports/:id/archive",
    "summary": "Downloads a project archive as JSON Lines, one row per line, for `POST /projects/import`."
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
    "summary": "Returns the progress of an import"
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
    "summary": "Creates an article as Draft or Planned",
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
    "summary": "Returns an article with its content"
  },
  "articles.brief": {
    "method": "GET",
    "path": "/articles/:id/brief",
    "summary": "Returns the requirements for writing a planned article, and the time until which you can claim it"
  },
  "articles.revisions": {
    "method": "GET",
    "path": "/articles/:id/revisions",
    "summary": "Lists the versions of an article, newest first, including the current one",
    "query": {
      "limit": "n",
      "offset": "n",
      "before_id": "n"
    }
  },
  "articles.revision": {
    "method": "GET",
    "path": "/articles/:id/revisions/:revision",
    "summary": "Returns a version of an article with its content"
  },
  "articles.delete": {
    "method": "DELETE",
    "path": "/articles/:id",
    "summary": "Deletes a Draft or Planned article",
    "query": {
      "dry_run": "b"
    }
  },
  "articles.generate": {
    "method": "POST",
    "path": "/articles/generate",
    "summary": "Starts the service’s writer on an article from your notes",
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
    "summary": "Changes the fields that you send of a Draft or Planned article",
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
    "summary": "Restores an earlier version of an article",
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
    "summary": "Saves edits of a published article and sends them to the target as an update",
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
    "summary": "Detaches a published article from its post",
    "query": {
      "dry_run": "b"
    }
  },
  "articles.address": {
    "method": "POST",
    "path": "/articles/:id/address",
    "summary": "Sets the public URL of a published article, if the URL is unknown or no longer shows the article",
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
    "summary": "Restores the version of the post that the CMS showed before the service’s last change",
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
    "summary": "Returns a delivery with its attempts"
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
    "summary": "Undoes changes of a key or a request where possible, newest first, and reports the result for each",
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
    "summary": "Returns an active integration, without its secrets"
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
    "summary": "Connects a publishing target and replaces the previous one of the project",
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
    "summary": "Sends a test to the target, with `sample",
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
    "summary": "Lists all integrations for a project, and which are connected",
    "query": {
      "project_id": "n",
      "category": "s"
    }
  },
  "integrations.how_to_connect": {
    "method": "GET",
    "path": "/integrations/connect",
    "summary": "Returns how a person connects an integration",
    "query": {
      "project_id": "n",
      "integration": "s"
    }
  },
  "research.internal_links": {
    "method": "GET",
    "path": "/internal-links",
    "summary": "Lists pages of the project’s own site to link to, at most 20: its content pillars, then the pages most related to the keyword",
    "query": {
      "project_id": "n",
      "keyword": "s"
    }
  },
  "backlinks.targets": {
    "method": "GET",
    "path": "/backlink-targets",
    "summary": "Lists partners’ pages to link to for a keyword, at most 5, best first",
    "query": {
      "project_id": "n",
      "keyword": "s"
    }
  },
  "backlinks.list": {
    "method": "GET",
    "path": "/backlinks",
    "summary": "Lists links that the project received, newest first",
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
    "summary": "Returns the project’s state in the backlink exchange",
    "query": {
      "project_id": "n"
    }
  },
  "backlinks.ledger": {
    "method": "GET",
    "path": "/backlinks/ledger",
    "summary": "Lists every change of the project’s backlink credits, newest first",
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
    "summary": "Returns a keyword and up to 20 related ones with monthly searches and difficulty, null if not measured",
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
    "summary": "Lists the account’s own keys for keyword providers, without the secrets"
  },
  "provider_keys.save": {
    "method": "PUT",
    "path": "/provider-keys/:provider",
    "summary": "Saves the account’s own key for a provider and replaces the previous one",
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
    "summary": "Deletes the account’s own key for a provider",
    "query": {
      "dry_run": "b"
    }
  },
  "images.create": {
    "method": "POST",
    "path": "/images",
    "summary": "Hosts an image, from its bytes or a public URL. The same bytes have the same URL.",
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
    "summary": "Uploads an image or video for posts",
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
    "summary": "Takes a screenshot of a public page, 1280 × 800. It is ready after about 20 seconds",
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
    "summary": "Returns the state of a screenshot"
  },
  "visibility.get": {
    "method": "GET",
    "path": "/ai-visibility",
    "summary": "Returns how AI engines mention the business, in five views",
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
    "summary": "Lists the original answers behind the numbers, newest first",
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
    "summary": "Lists the scans of a project with their costs, newest first",
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
    "summary": "Starts a scan of the AI engines",
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
    "summary": "Adds a prompt for the next scans of AI engines",
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
    "summary": "Removes a prompt",
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
    "summary": "Returns queries and pages of the site in Google Search, with totals",
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
    "summary": "Returns clicks, impressions and position by day, for the whole site or one page",
    "query": {
      "project_id": "n",
      "page": "s",
      "days": "n"
    }
  },
  "search.standing": {
    "method": "GET",
    "path": "/projects/:id/search-console",
    "summary": "Returns the project’s connection to Google Search Console and the available properties"
  },
  "search.connect": {
    "method": "POST",
    "path": "/projects/:id/search-console/connect",
    "summary": "Creates a URL at which a person connects the project to Google Search Console, valid for an hour",
    "query": {
      "dry_run": "b"
    }
  },
  "search.choose_property": {
    "method": "PUT",
    "path": "/projects/:id/search-console",
    "summary": "Sets the Search Console property of the project",
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
    "summary": "Disconnects Google Search Console and revokes the access at Google",
    "query": {
      "dry_run": "b"
    }
  },
  "suggestions.list": {
    "method": "GET",
    "path": "/suggestions",
    "summary": "Lists suggestions to improve the articles of a project, newest first, with counts by status",
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
    "summary": "Analyzes the search data of a project and suggests articles to improve, like the weekly run",
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
    "summary": "Returns the effect of published rewrites, syncs and rollbacks on the clicks of their pages",
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
    "summary": "Returns a suggestion, with the proposed change if it is ready"
  },
  "suggestions.diff": {
    "method": "GET",
    "path": "/suggestions/:id/diff",
    "summary": "Returns the article before and after the proposed change, and the difference as HTML."
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
    "summary": "Returns whether the account may sync an outreach mirror"
  },
  "outreach.sync": {
    "method": "POST",
    "path": "/outreach/sync",
    "summary": "Copies rows of your outreach database by their IDs, at most 1,000 of each kind",
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
    "summary": "Downloads the whole mirror as newline-delimited JSON, one row per line as it was sent"
  },
  "outreach.erase": {
    "method": "POST",
    "path": "/outreach/erase",
    "summary": "Erases a person by ID or by address, with all their data",
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
    "summary": "Lists the campaigns of the account with their last known state, newest first",
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
    "summary": "Creates a template and a campaign from it",
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
    "summary": "Registers a campaign that was created at the provider",
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
    "summary": "Returns a campaign by the provider’s ID, with its current state at the provider"
  },
  "crowdwork.slots": {
    "method": "GET",
    "path": "/crowdwork/campaigns/:campaign_id/slots",
    "summary": "Lists the work that workers submitted, newest first",
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
    "summary": "Downloads all submitted work as CSV, one line per proof"
  },
  "crowdwork.rate": {
    "method": "POST",
    "path": "/crowdwork/slots/:slot_id/rate",
    "summary": "Rates the work of a worker",
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
    "summary": "Returns the cost of a project’s campaigns in a month, and the rest of its `crowdwork_budget`. Fees of the provider are not included",
    "query": {
      "project_id": "n",
      "month": "s"
    }
  },
  "social.accounts": {
    "method": "GET",
    "path": "/social/accounts",
    "summary": "Lists the social accounts that a project can post from, and those that a person has to connect again",
    "query": {
      "project_id": "n"
    }
  },
  "social.connect": {
    "method": "POST",
    "path": "/social/accounts",
    "summary": "Connects a social account",
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
    "summary": "Disconnects a directly connected account and deletes its secrets",
    "query": {
      "dry_run": "b"
    }
  },
  "social.publish": {
    "method": "POST",
    "path": "/social/publish",
    "summary": "Publishes a post on one or more networks, now or at a set time, once on each network",
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
    "summary": "Lists posts, newest first",
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
    "summary": "Returns a post and its status"
  },
  "social.publish_post": {
    "method": "POST",
    "path": "/social/posts/:post_id/publish",
    "summary": "Publishes a draft or retries a failed post, now or at a set time",
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
    "summary": "Deletes a post that is not published",
    "query": {
      "dry_run": "b"
    }
  },
  "social.comment_for_guide": {
    "method": "PUT",
    "path": "/social/posts/:post_id/comment-for-guide",
    "summary": "Sets, changes or stops the rule that answers commenters on a post with a link",
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
    "summary": "Returns whether a Google Business Profile is connected, and its rating",
    "query": {
      "project_id": "n",
      "account_id": "s"
    }
  },
  "profile.reviews": {
    "method": "GET",
    "path": "/profile/reviews",
    "summary": "Lists reviews of the business with their replies, newest first",
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
    "summary": "Posts a public reply to a review and replaces the existing reply",
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
    "summary": "Deletes the reply to a review",
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
    "summary": "Returns views of the profile and actions of people there, in total and by day",
    "query": {
      "project_id": "n",
      "account_id": "s",
      "days": "n"
    }
  }
}
