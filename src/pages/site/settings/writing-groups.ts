import { CTA_INTENSITIES, PRODUCT_POSITIONINGS, TONES, WRITING_PROFILES } from '../../../../schema/values/projects.ts'
import { choicesOf, type Group, LONG, SHORT } from './fields.tsx'

/** Settings of the business behind a site: names, readers, place. */
export const BUSINESS: Group = {
  key: 'business',
  title: 'Business',
  about:
    'What articles, keywords and questions to AI engines are made from. Reading the site fills what nobody has filled in; it never replaces what you type. A change holds from the next piece of work on.',
  fields: [
    { name: 'business_name', label: 'Name of the business', kind: 'text', max: SHORT },
    {
      name: 'business_aliases',
      label: 'Other names',
      hint: 'One a line: a former or a short one. Searches and AI answers with them count as yours',
      kind: 'lines',
      max: SHORT,
    },
    {
      name: 'business_description',
      label: 'What it does, and for whom',
      hint: 'A few sentences',
      kind: 'long',
      max: SHORT,
    },
    {
      name: 'target_audience',
      label: 'Readers',
      hint: 'One group a line, such as “people who cycle to work”',
      kind: 'lines',
      max: SHORT,
    },
    {
      name: 'primary_location',
      label: 'Place it serves',
      hint: 'Such as Hamburg. Empty if the place does not matter',
      kind: 'text',
      max: SHORT,
    },
  ],
}

/** Settings of the texts of articles. */
export const WRITING: Group = {
  key: 'writing',
  title: 'Writing',
  about:
    'How articles of this site are written, by the service or by your agent. A change holds from the next article that is written; what is written stays as it is.',
  fields: [
    {
      name: 'language',
      label: 'Language',
      hint: 'Articles are written and checked in it, keywords are looked up in it, and links are exchanged within it',
      kind: 'listed',
      from: 'languages',
      max: 100,
      wrong: 'Articles are not written in a language of this name. Choose one of the list.',
    },
    {
      name: 'tone',
      label: 'Tone',
      kind: 'choice',
      options: choicesOf(TONES, {
        Informative: 'Informative: plain, precise, calm',
        Conversational: 'Conversational: as one talks to a customer',
        Persuasive: 'Persuasive: leads to a decision by reasons',
      }),
    },
    {
      name: 'writing_profile',
      label: 'Who seems to write',
      kind: 'choice',
      options: choicesOf(WRITING_PROFILES, {
        'Experienced practitioner': 'Somebody who has done the work',
        'Simple educational': 'Somebody who explains every term to beginners',
        'Balanced SEO': 'Somebody who answers what was searched for first',
      }),
    },
    {
      name: 'product_positioning',
      label: 'How much the business is spoken of',
      kind: 'choice',
      options: choicesOf(PRODUCT_POSITIONINGS, {
        'Neutral operational': 'Only where it is the subject',
        'Soft mention': 'Once or twice, where it helps the reader',
        Promotional: 'As the solution of the reader’s problem',
      }),
    },
    {
      name: 'cta_intensity',
      label: 'How an article ends',
      kind: 'choice',
      options: choicesOf(CTA_INTENSITIES, {
        None: 'Without asking for anything',
        Soft: 'With one sentence that invites to your site',
        Direct: 'With a clear request to act',
      }),
    },
    {
      name: 'custom_author_name',
      label: 'Author',
      hint: 'The name under articles. Empty: the one your site puts there',
      kind: 'text',
      max: SHORT,
    },
    {
      name: 'ai_instructions',
      label: 'Instructions for every article',
      hint: 'In your own words; the writer follows them',
      kind: 'long',
      max: LONG,
    },
    { name: 'first_person_writing', label: 'Articles say “I” and “we”', kind: 'switch' },
    { name: 'table_of_contents', label: 'Articles have a table of contents', kind: 'switch' },
    {
      name: 'avoid_formulaic_section_endings',
      label: 'Sections do not end with a summary of themselves',
      kind: 'switch',
    },
    {
      name: 'require_operational_examples',
      label: 'Advice comes with an example from practice',
      kind: 'switch',
    },
    {
      name: 'brand_intelligence',
      label: 'The writer is told what the site is about',
      hint: 'By what reading its pages found',
      kind: 'switch',
    },
    {
      name: 'duplicate_content_protection',
      label: 'The check of an article compares it with the others of the site',
      kind: 'switch',
    },
    {
      name: 'banned_phrases',
      label: 'Phrases that may not be in an article',
      hint: 'One a line. The check of an article points at them',
      kind: 'lines',
      max: SHORT,
    },
    {
      name: 'strict_banned_phrase_guard',
      label: 'Variants and translations of these phrases are kept out, too',
      kind: 'switch',
    },
  ],
}

/** Returns the group of image settings. Images can be stored at the service, which the group names, or in the site's CMS. */
export const images = (service: string): Group => ({
  key: 'images',
  title: 'Images',
  about:
    'How pictures of articles look, and where they are kept. A change holds from the next picture that is made and the next publication on.',
  fields: [
    {
      name: 'image_hosting',
      label: 'Where pictures are kept',
      hint: 'In your CMS: they are copied there with each publication. Notion and webhooks are given addresses instead',
      kind: 'choice',
      options: [
        [service, `At ${service}`],
        ['CMS', 'In your CMS'],
      ],
    },
    {
      name: 'image_style',
      label: 'Style',
      hint: 'In your own words, such as “flat drawings in two colours”',
      kind: 'text',
      max: SHORT,
    },
    {
      name: 'image_prompt_instructions',
      label: 'What a model is told besides when it makes a picture',
      kind: 'long',
      max: LONG,
    },
    { name: 'brand_color', label: 'Colour of the brand', hint: 'For title cards. Black means none', kind: 'color' },
    {
      name: 'title_based_featured_image',
      label: 'The picture of an article shows its title',
      hint: 'Always a title card, whatever picture could be made',
      kind: 'switch',
    },
    {
      name: 'videos_enabled',
      label: 'Articles may have videos',
      hint: 'The writer embeds one that fits, and the address of a video alone in its paragraph becomes a player when the text is saved',
      kind: 'switch',
    },
  ],
})
