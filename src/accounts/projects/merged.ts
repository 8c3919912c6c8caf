/** Defaults of the settings that are keys of a jsonb column, without the rules for input. */
export const QUALITY_DEFAULTS = {
  first_person_writing: false,
  table_of_contents: false,
  avoid_formulaic_section_endings: true,
  require_operational_examples: false,
  strict_banned_phrase_guard: false,
  brand_intelligence: true,
  duplicate_content_protection: true,
}

export const IMAGE_DEFAULTS = {
  image_hosting: 'service',
  image_style: null as string | null,
  brand_color: '#000000' as string | null,
  image_prompt_instructions: '',
  title_based_featured_image: false,
}

type Stored = Record<string, unknown>

/** Returns the article-quality settings in force: what is stored over what holds by default. */
export const qualityOf = (stored: Stored): typeof QUALITY_DEFAULTS => ({ ...QUALITY_DEFAULTS, ...stored })

/** Returns the image preferences in force. */
export const imagesOf = (stored: Stored): typeof IMAGE_DEFAULTS => ({ ...IMAGE_DEFAULTS, ...stored })
