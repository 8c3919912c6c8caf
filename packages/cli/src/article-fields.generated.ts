// Written by `npm run generate` from src/content/articles/fields.ts. Do not edit.
/** Fields of an article that front matter may set. */
export const FRONT_MATTER: readonly string[] = [
  "title",
  "meta_description",
  "feature_image",
  "alt_text",
  "category",
  "tags",
  "seo_title",
  "canonical_url",
  "keyword",
  "published_at",
  "slug",
  "article_style",
  "instructions",
  "status",
  "scheduled_date",
]

/** Fields of a published article that can change. */
export const LIVE_FIELDS: readonly string[] = [
  "title",
  "content",
  "meta_description",
  "feature_image",
  "alt_text",
  "category",
  "tags",
  "seo_title",
  "canonical_url",
  "fields",
]
