// Written by `npm run generate` from src/operations.ts. Do not edit.
import type { ToolDefinition } from './tool-schemas.ts'

export const DEFINITIONS: readonly ToolDefinition[] = [
  {
    "name": "list_projects",
    "description": "Lists the active projects (one per website), newest first. Start here: other tools take a project_id.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer"
        },
        "offset": {
          "type": "integer"
        },
        "before_id": {
          "type": "integer"
        }
      }
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "projects": {
          "type": "array"
        },
        "count": {
          "type": "integer"
        },
        "limit": {
          "type": "integer"
        },
        "offset": {
          "type": "integer"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "get_project",
    "description": "Returns a project with all its settings and article plans.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        }
      },
      "required": [
        "project_id"
      ]
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "project": {
          "type": "object"
        },
        "settings": {
          "type": "object"
        },
        "article_plan": {
          "type": "object"
        },
        "setup": {
          "type": "object"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "create_project",
    "description": "Creates a project for a website. Uses a paid project slot; without a free one it fails with project_limit_reached. Starts no keyword research and spends no credits. Change other settings with update_project.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "website_url": {
          "type": "string"
        },
        "ai_instructions": {
          "type": "string"
        },
        "business_name": {
          "type": "string"
        },
        "business_description": {
          "type": "string"
        },
        "target_audience": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "tone": {
          "type": "string",
          "enum": [
            "Informative",
            "Conversational",
            "Persuasive"
          ]
        },
        "competitors": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "idempotency_key": {
          "type": "string"
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "website_url"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "name": "update_project",
    "description": "Changes the settings that you send; \"\" clears a text, [] a list. Cannot change the plan, or delete or archive a project.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "ai_instructions": {
          "type": "string"
        },
        "business_name": {
          "type": "string"
        },
        "business_aliases": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "business_description": {
          "type": "string"
        },
        "target_audience": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "sitemap_url": {
          "type": "string"
        },
        "blog_root_url": {
          "type": "string"
        },
        "content_pillars": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "internal_links_per_article": {
          "type": "integer"
        },
        "tone": {
          "type": "string",
          "enum": [
            "Informative",
            "Conversational",
            "Persuasive"
          ]
        },
        "language": {
          "type": "string",
          "description": "language: its label, such as French (CA), or its BCP 47 code, such as fr-CA"
        },
        "keyword_region": {
          "type": "string"
        },
        "primary_location": {
          "type": "string"
        },
        "writing_profile": {
          "type": "string",
          "enum": [
            "Experienced practitioner",
            "Simple educational",
            "Balanced SEO"
          ]
        },
        "product_positioning": {
          "type": "string",
          "enum": [
            "Neutral operational",
            "Soft mention",
            "Promotional"
          ]
        },
        "custom_author_name": {
          "type": "string"
        },
        "social_media_ai_instructions": {
          "type": "string"
        },
        "publish_time": {
          "type": "string",
          "description": "24-hour time HH:MM"
        },
        "timezone": {
          "type": "string",
          "description": "IANA time zone, for example Europe/Amsterdam"
        },
        "publishing_status": {
          "type": "string",
          "enum": [
            "Publish Immediately",
            "Save as Drafts",
            "Send as Drafts"
          ]
        },
        "social_media_publishing_status": {
          "type": "string",
          "enum": [
            "Publish Immediately",
            "Save as Drafts"
          ]
        },
        "image_hosting": {
          "type": "string"
        },
        "image_style": {
          "type": "string"
        },
        "brand_color": {
          "type": "string",
          "description": "colour #rrggbb"
        },
        "image_prompt_instructions": {
          "type": "string"
        },
        "title_based_featured_image": {
          "type": "boolean"
        },
        "cta_intensity": {
          "type": "string",
          "enum": [
            "None",
            "Soft",
            "Direct"
          ]
        },
        "first_person_writing": {
          "type": "boolean"
        },
        "table_of_contents": {
          "type": "boolean"
        },
        "avoid_formulaic_section_endings": {
          "type": "boolean"
        },
        "require_operational_examples": {
          "type": "boolean"
        },
        "strict_banned_phrase_guard": {
          "type": "boolean"
        },
        "banned_phrases": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "brand_intelligence": {
          "type": "boolean"
        },
        "duplicate_content_protection": {
          "type": "boolean"
        },
        "videos_enabled": {
          "type": "boolean"
        },
        "backlinks_network": {
          "type": "boolean"
        },
        "competitors": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "weekly_suggestions": {
          "type": "boolean"
        },
        "crowdwork_budget": {
          "type": "number"
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "project_id"
      ]
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "updated_fields": {
          "type": "array"
        },
        "updated_columns": {
          "type": "array"
        },
        "message": {
          "type": "string"
        },
        "planned_articles": {
          "type": "object"
        },
        "planned_posts": {
          "type": "object"
        }
      }
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "list_articles",
    "description": "Lists articles, newest first, without their content. q searches title and keyword.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer"
        },
        "offset": {
          "type": "integer"
        },
        "before_id": {
          "type": "integer"
        },
        "project_id": {
          "type": "integer"
        },
        "status": {
          "type": "array",
          "items": {
            "type": "string",
            "enum": [
              "Draft",
              "Planned",
              "Published",
              "Generating"
            ]
          }
        },
        "publish_state": {
          "type": "array",
          "items": {
            "type": "string",
            "enum": [
              "idle",
              "publishing",
              "retrying",
              "unknown",
              "failed",
              "awaiting_approval"
            ]
          }
        },
        "updated_after": {
          "type": "string",
          "description": "ISO 8601"
        },
        "scheduled_after": {
          "type": "string",
          "description": "ISO 8601"
        },
        "scheduled_before": {
          "type": "string",
          "description": "ISO 8601"
        },
        "q": {
          "type": "string"
        }
      }
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "articles": {
          "type": "array"
        },
        "search_limited": {
          "type": "boolean"
        },
        "setup": {
          "type": "object"
        },
        "count": {
          "type": "integer"
        },
        "limit": {
          "type": "integer"
        },
        "offset": {
          "type": "integer"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "get_article",
    "description": "Returns an article with its content (HTML), SEO report and publishing state.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "article_id": {
          "type": "integer"
        },
        "content_offset": {
          "type": "integer"
        }
      },
      "required": [
        "article_id"
      ]
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "get_article_brief",
    "description": "Returns the requirements for writing a planned article: keyword, required links, rules of the project, and the time until which you can claim it.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "article_id": {
          "type": "integer"
        }
      },
      "required": [
        "article_id"
      ]
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "get_business_context",
    "description": "Returns what a writer needs to know about the business: description, audience, language, competitors, instructions.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        }
      },
      "required": [
        "project_id"
      ]
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "business_name": {
          "type": "string"
        },
        "website_url": {
          "type": "string"
        },
        "description": {
          "type": "string"
        },
        "competitors": {
          "type": "array"
        },
        "ai_instructions": {
          "type": "string"
        },
        "language": {
          "type": "string"
        },
        "target_audience": {
          "type": "string"
        },
        "internal_links_per_article": {
          "type": "integer"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "get_internal_links",
    "description": "Lists up to 20 pages of the project’s own site to link to, most related to the keyword first.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "keyword": {
          "type": "string"
        }
      },
      "required": [
        "project_id"
      ]
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "links": {
          "type": "array"
        },
        "num_links_recommended": {
          "type": "integer"
        },
        "website_url": {
          "type": "string"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "get_backlink_targets",
    "description": "Lists up to 5 partners’ pages to link to for a keyword. Each link earns a backlink credit.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "keyword": {
          "type": "string"
        }
      },
      "required": [
        "project_id",
        "keyword"
      ]
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "targets": {
          "type": "array"
        },
        "category": {
          "type": "string"
        },
        "credits": {
          "type": "integer"
        },
        "instructions": {
          "type": "string"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "create_article",
    "description": "Creates an article as Draft, or as Planned for a date. Publishes nothing. Content of 2,000 characters or more is published unchanged. On plans with a writer, the service writes a Planned article with shorter content.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "keyword": {
          "type": "string"
        },
        "slug": {
          "type": "string"
        },
        "content": {
          "type": "string",
          "description": "HTML fragment without h1"
        },
        "content_format": {
          "type": "string",
          "enum": [
            "html",
            "markdown"
          ]
        },
        "title": {
          "type": "string"
        },
        "meta_description": {
          "type": "string"
        },
        "feature_image": {
          "type": "string"
        },
        "alt_text": {
          "type": "string"
        },
        "category": {
          "type": "string"
        },
        "tags": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "seo_title": {
          "type": "string"
        },
        "canonical_url": {
          "type": "string"
        },
        "status": {
          "type": "string",
          "enum": [
            "Draft",
            "Planned"
          ]
        },
        "scheduled_date": {
          "type": "string",
          "description": "ISO 8601; without offset: project’s time zone"
        },
        "article_style": {
          "type": "string",
          "enum": [
            "Informative",
            "Listicle",
            "How-To",
            "Comparison",
            "Review",
            "Explainer",
            "Resources",
            "News",
            "Professional",
            "Casual",
            "Technical"
          ]
        },
        "published_at": {
          "type": "string",
          "description": "ISO 8601"
        },
        "instructions": {
          "type": "string"
        },
        "idempotency_key": {
          "type": "string"
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "project_id",
        "keyword"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "name": "update_article",
    "description": "Changes the fields that you send of a Draft or Planned article; \"\" clears a text, [] a list. The previous version is kept. Change a published article with sync_article.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "article_id": {
          "type": "integer"
        },
        "keyword": {
          "type": "string"
        },
        "slug": {
          "type": "string"
        },
        "content": {
          "type": "string",
          "description": "HTML fragment without h1"
        },
        "content_format": {
          "type": "string",
          "enum": [
            "html",
            "markdown"
          ]
        },
        "title": {
          "type": "string"
        },
        "meta_description": {
          "type": "string"
        },
        "feature_image": {
          "type": "string"
        },
        "alt_text": {
          "type": "string"
        },
        "category": {
          "type": "string"
        },
        "tags": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "seo_title": {
          "type": "string"
        },
        "canonical_url": {
          "type": "string"
        },
        "status": {
          "type": "string",
          "enum": [
            "Draft",
            "Planned"
          ]
        },
        "scheduled_date": {
          "type": "string",
          "description": "ISO 8601; \"\" clears the date"
        },
        "article_style": {
          "type": "string",
          "enum": [
            "Informative",
            "Listicle",
            "How-To",
            "Comparison",
            "Review",
            "Explainer",
            "Resources",
            "News",
            "Professional",
            "Casual",
            "Technical"
          ]
        },
        "published_at": {
          "type": "string",
          "description": "ISO 8601"
        },
        "instructions": {
          "type": "string"
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "article_id"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "publish_article",
    "description": "Publishes an article on the connected site, once; it is then public. Ask the user first. A failed attempt returns the status retrying or failed with the reason. With retrying, the service tries again automatically.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "article_id": {
          "type": "integer"
        },
        "idempotency_key": {
          "type": "string"
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "article_id"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": true
    }
  },
  {
    "name": "sync_article",
    "description": "Saves edits of a published article and sends them to the site once, as an update of the same post; \"\" clears a text, [] a list. Cannot change its URL.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "article_id": {
          "type": "integer"
        },
        "content": {
          "type": "string"
        },
        "content_format": {
          "type": "string",
          "enum": [
            "html",
            "markdown"
          ]
        },
        "title": {
          "type": "string"
        },
        "meta_description": {
          "type": "string"
        },
        "feature_image": {
          "type": "string"
        },
        "alt_text": {
          "type": "string"
        },
        "category": {
          "type": "string"
        },
        "tags": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "seo_title": {
          "type": "string"
        },
        "canonical_url": {
          "type": "string"
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "article_id"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": true,
      "openWorldHint": true
    }
  },
  {
    "name": "generate_article",
    "description": "Starts the service’s writer on an article from your notes (source_content). Costs 1 article credit: ask the user first. Takes minutes: poll get_article until Status is no longer Generating.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "keyword": {
          "type": "string"
        },
        "source_content": {
          "type": "string",
          "description": "must not be empty: it holds the notes the article is made of"
        },
        "instructions": {
          "type": "string"
        },
        "title": {
          "type": "string"
        },
        "article_style": {
          "type": "string",
          "enum": [
            "Informative",
            "Listicle",
            "How-To",
            "Comparison",
            "Review",
            "Explainer",
            "Resources",
            "News",
            "Professional",
            "Casual",
            "Technical"
          ]
        },
        "idempotency_key": {
          "type": "string"
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "project_id",
        "keyword",
        "source_content"
      ]
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "article_id": {
          "type": "integer"
        },
        "status": {
          "type": "string"
        },
        "keyword": {
          "type": "string"
        },
        "slug": {
          "type": "string"
        },
        "message": {
          "type": "string"
        },
        "article_credits_remaining": {
          "type": "integer"
        }
      }
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "name": "keyword_research",
    "description": "Returns keywords with monthly searches and difficulty: your keyword first, then related ones.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "keyword": {
          "type": "string",
          "description": "must have at most 10 words"
        },
        "project_id": {
          "type": "integer"
        },
        "limit": {
          "type": "number",
          "description": "integer"
        },
        "source": {
          "type": "string",
          "enum": [
            "service",
            "byo_dataforseo",
            "byo_ahrefs"
          ]
        },
        "idempotency_key": {
          "type": "string"
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "keyword"
      ]
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "keywords": {
          "type": "array"
        },
        "count": {
          "type": "integer"
        },
        "limit": {
          "type": "integer"
        },
        "source": {
          "type": "string"
        },
        "language": {
          "type": "string"
        },
        "region": {
          "type": "string"
        },
        "cached": {
          "type": "boolean"
        },
        "note": {
          "type": "string"
        },
        "sandbox": {
          "type": "boolean"
        }
      }
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": true
    }
  },
  {
    "name": "backlinks_status",
    "description": "Returns the project’s state in the backlink exchange: credits, given, received and pending links.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        }
      },
      "required": [
        "project_id"
      ]
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "participating": {
          "type": "boolean"
        },
        "credits": {
          "type": "integer"
        },
        "debt": {
          "type": "integer"
        },
        "reserved": {
          "type": "integer"
        },
        "given": {
          "type": "integer"
        },
        "received": {
          "type": "integer"
        },
        "pending": {
          "type": "integer"
        },
        "velocity_used": {
          "type": "integer"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "list_backlinks",
    "description": "Lists links that the project received: on live pages (earned), and not live yet (scheduled).",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "earned_limit": {
          "type": "integer"
        },
        "earned_before_id": {
          "type": "integer"
        },
        "scheduled_limit": {
          "type": "integer"
        },
        "scheduled_before_id": {
          "type": "integer"
        }
      },
      "required": [
        "project_id"
      ]
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "earned": {
          "type": "array"
        },
        "earned_count": {
          "type": "integer"
        },
        "earned_limit": {
          "type": "integer"
        },
        "scheduled": {
          "type": "array"
        },
        "scheduled_count": {
          "type": "integer"
        },
        "scheduled_limit": {
          "type": "integer"
        },
        "velocity": {
          "type": "object"
        },
        "note": {
          "type": "string"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "search_console_performance",
    "description": "Returns the search performance of a project from Google Search Console: totals, top queries and pages. Not web analytics.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "days": {
          "type": "integer"
        },
        "limit": {
          "type": "integer"
        },
        "start_row": {
          "type": "integer"
        },
        "compare": {
          "type": "boolean"
        }
      },
      "required": [
        "project_id"
      ]
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "ai_visibility_report",
    "description": "Returns how often AI answers cite or mention the business, by engine. Starts no scan.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "view": {
          "type": "string",
          "enum": [
            "summary",
            "prompts",
            "competitors",
            "cited_pages",
            "history"
          ]
        },
        "page": {
          "type": "integer"
        },
        "per_page": {
          "type": "integer"
        }
      },
      "required": [
        "project_id"
      ]
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "list_suggestions",
    "description": "Lists suggestions to improve published articles, with counts by status. Read the proposed change with act_on_suggestion.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "status": {
          "type": "array",
          "items": {
            "type": "string",
            "enum": [
              "pending",
              "approved",
              "rewriting",
              "ready",
              "published",
              "rejected",
              "failed",
              "superseded"
            ]
          }
        },
        "type": {
          "type": "array",
          "items": {
            "type": "string",
            "enum": [
              "striking_distance",
              "ctr_underperform",
              "declining_page",
              "cannibalisation",
              "dead_page",
              "thin_content"
            ]
          }
        },
        "limit": {
          "type": "integer"
        },
        "offset": {
          "type": "integer"
        },
        "before_id": {
          "type": "integer"
        }
      },
      "required": [
        "project_id"
      ]
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "run_suggestions",
    "description": "Analyzes the search data now and adds new pending suggestions. Changes no article.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "idempotency_key": {
          "type": "string"
        },
        "dry_run": {
          "type": "boolean"
        }
      }
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "created": {
          "type": "integer"
        },
        "message": {
          "type": "string"
        },
        "sc_connected": {
          "type": "boolean"
        },
        "gsc_connected": {
          "type": "boolean"
        },
        "instructions_for_agent": {
          "type": "string"
        }
      }
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "name": "act_on_suggestion",
    "description": "Acts on a suggestion: approve starts the rewrite; get and diff read it, poll until status is ready; publish puts the ready rewrite live (ask the user first); reject; regenerate with feedback.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "suggestion_id": {
          "type": "integer"
        },
        "reason": {
          "type": "string"
        },
        "feedback": {
          "type": "string"
        },
        "action": {
          "type": "string",
          "enum": [
            "get",
            "diff",
            "approve",
            "reject",
            "publish",
            "regenerate"
          ]
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "action",
        "suggestion_id"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": true,
      "openWorldHint": true
    }
  },
  {
    "name": "list_integrations",
    "description": "Lists the connected publishing targets and other integrations. The user or the API connects them; no tool does.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer"
        },
        "offset": {
          "type": "integer"
        },
        "before_id": {
          "type": "integer"
        },
        "project_id": {
          "type": "integer"
        }
      }
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "integrations": {
          "type": "array"
        },
        "count": {
          "type": "integer"
        },
        "limit": {
          "type": "integer"
        },
        "offset": {
          "type": "integer"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "profile_status",
    "description": "Returns whether a Google Business Profile is connected, and its rating.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "account_id": {
          "type": "string"
        }
      },
      "required": [
        "project_id"
      ]
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "profile_reviews",
    "description": "Lists reviews of the Google Business Profile.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "account_id": {
          "type": "string"
        },
        "has_reply": {
          "type": "boolean"
        },
        "min_rating": {
          "type": "integer"
        },
        "max_rating": {
          "type": "integer"
        },
        "sort_by": {
          "type": "string",
          "enum": [
            "date",
            "rating"
          ]
        },
        "sort_order": {
          "type": "string",
          "enum": [
            "asc",
            "desc"
          ]
        },
        "limit": {
          "type": "integer"
        },
        "cursor": {
          "type": "string"
        }
      },
      "required": [
        "project_id"
      ]
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "profile_reply_review",
    "description": "Posts a public reply to a review in the business’s name. Ask the user first. Cannot delete reviews or replies.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "account_id": {
          "type": "string"
        },
        "review_id": {
          "type": "string",
          "description": "review_id from GET /profile/reviews"
        },
        "message": {
          "type": "string"
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "project_id",
        "review_id",
        "message"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": true,
      "openWorldHint": true
    }
  },
  {
    "name": "list_social_accounts",
    "description": "Lists the social accounts that are connected to a project.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        }
      },
      "required": [
        "project_id"
      ]
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "connected": {
          "type": "boolean"
        },
        "accounts": {
          "type": "array"
        },
        "lapsed_accounts": {
          "type": "array"
        },
        "instructions_for_agent": {
          "type": "string"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "upload_social_media",
    "description": "Copies an image or video from a public URL (media_url) for a post. Send the returned media in media_files. Does not accept file uploads.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "media_url": {
          "type": "string"
        },
        "idempotency_key": {
          "type": "string"
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "project_id",
        "media_url"
      ]
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "media": {
          "type": "object"
        }
      }
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": true
    }
  },
  {
    "name": "publish_social_post",
    "description": "Posts to connected social accounts now, or at scheduled_for. The post is public: ask the user first.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "project_id": {
          "type": "integer"
        },
        "content": {
          "type": "string"
        },
        "platforms": {
          "type": "array",
          "items": {
            "type": "string",
            "enum": [
              "x",
              "linkedin",
              "facebook",
              "instagram",
              "threads",
              "bluesky",
              "reddit",
              "tiktok",
              "youtube",
              "pinterest",
              "telegram",
              "snapchat",
              "googlebusiness"
            ]
          }
        },
        "account_id": {
          "type": "string"
        },
        "link": {
          "type": "string"
        },
        "media_files": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "platform_overrides": {
          "type": "object"
        },
        "scheduled_for": {
          "type": "string",
          "description": "ISO 8601"
        },
        "draft": {
          "type": "boolean"
        },
        "allow_duplicate": {
          "type": "boolean"
        },
        "is_comment_for_guide": {
          "type": "boolean"
        },
        "comment_for_guide_config": {
          "type": "object",
          "properties": {
            "match_mode": {
              "type": "string",
              "enum": [
                "keyword",
                "all"
              ]
            },
            "trigger_keyword": {
              "type": "string"
            },
            "delivery_method": {
              "type": "string",
              "enum": [
                "dm",
                "public_reply",
                "reply"
              ]
            },
            "custom_message": {
              "type": "string"
            },
            "is_active": {
              "type": "boolean"
            },
            "delivery_url": {
              "type": "string"
            }
          },
          "required": [
            "delivery_url"
          ]
        },
        "idempotency_key": {
          "type": "string"
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "project_id"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": true
    }
  },
  {
    "name": "get_social_post",
    "description": "Returns a social post with its status and URL.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "post_id": {
          "type": "integer"
        }
      },
      "required": [
        "post_id"
      ]
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "post": {
          "type": "object"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "list_social_posts",
    "description": "Lists social posts of a project, newest first.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer"
        },
        "offset": {
          "type": "integer"
        },
        "before_id": {
          "type": "integer"
        },
        "project_id": {
          "type": "integer"
        },
        "status": {
          "type": "array",
          "items": {
            "type": "string",
            "enum": [
              "draft",
              "scheduled",
              "publishing",
              "published",
              "failed"
            ]
          }
        },
        "platform": {
          "type": "string",
          "enum": [
            "x",
            "linkedin",
            "facebook",
            "instagram",
            "threads",
            "bluesky",
            "reddit",
            "tiktok",
            "youtube",
            "pinterest",
            "telegram",
            "snapchat",
            "googlebusiness"
          ]
        }
      }
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "posts": {
          "type": "array"
        },
        "count": {
          "type": "integer"
        },
        "limit": {
          "type": "integer"
        },
        "offset": {
          "type": "integer"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "configure_social_post_auto_reply",
    "description": "Sets or turns off the automatic reply to comments on a post.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "post_id": {
          "type": "integer"
        },
        "is_comment_for_guide": {
          "type": "boolean"
        },
        "comment_for_guide_config": {
          "type": "object",
          "properties": {
            "match_mode": {
              "type": "string",
              "enum": [
                "keyword",
                "all"
              ]
            },
            "trigger_keyword": {
              "type": "string"
            },
            "delivery_method": {
              "type": "string",
              "enum": [
                "dm",
                "public_reply",
                "reply"
              ]
            },
            "custom_message": {
              "type": "string"
            },
            "is_active": {
              "type": "boolean"
            },
            "delivery_url": {
              "type": "string"
            }
          }
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "post_id"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": true,
      "openWorldHint": true
    }
  }
]
