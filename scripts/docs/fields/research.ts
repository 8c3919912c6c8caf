import { lengthOf, type Words } from './word.ts'

export const MEDIA_FIELDS: Readonly<Record<string, Words>> = {
  'images.create': {
    image_base64: 'Image as base64. Send this or `image_url`.',
    image_url: 'URL of the image to copy. Send this or `image_base64`.',
  },
  'social.media': {
    file: 'In a form: the file. In JSON: the URL of an attached file. Send this or `media_url`.',
    'file.download_url': 'Public URL of the attached file.',
    media_url: 'Public URL of the image or video to copy. Send this or `file`.',
  },
  'screenshots.take': {
    url: 'URL of the public page.',
    name: 'Name of the business or product. The page must contain it.',
  },
}

const EARLIER = 'Returns links after this one:'

export const RESEARCH_FIELDS: Readonly<Record<string, Words>> = {
  'research.internal_links': { keyword: ['Topic that the links should be related to.', 'the newest pages'] },
  'backlinks.targets': { keyword: 'Topic of the article.' },
  'backlinks.list': {
    earned_limit: lengthOf(100, 500),
    earned_before_id: [`${EARLIER} \`earned_before_id\` of the previous response.`, 'starts with the newest'],
    scheduled_limit: lengthOf(50, 200),
    scheduled_before_id: [`${EARLIER} \`scheduled_before_id\` of the previous response.`, 'starts with the newest'],
  },
  'keywords.search': {
    keyword: 'Keyword to look up, at most ten words.',
    project_id: ['ID of the project that sets language and region.', 'English (US), Worldwide'],
    limit: ['Maximum number of keywords, including the requested one. Values above 50 are reduced to 50.', '21'],
    source: ['Source of the data: the service, or the account’s own key.', 'the one that the plan includes'],
  },
  'provider_keys.save': {
    login: 'With `dataforseo`: login.',
    password: 'With `dataforseo`: API password, which is different from the account password.',
    api_key: 'With `ahrefs`: API key.',
  },
}
