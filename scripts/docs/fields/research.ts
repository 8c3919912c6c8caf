import { lengthOf, type Words } from './word.ts'

export const MEDIA_FIELDS: Readonly<Record<string, Words>> = {
  'images.create': {
    image_base64: 'this or `image_url`',
    image_url: 'address of the image to copy; this or `image_base64`',
  },
  'social.media': {
    file: 'in a form the file itself; in JSON the address of an attached file; this or `media_url`',
    'file.download_url': 'public address of the attached file',
    media_url: 'public address of the picture or video to copy; this or `file`',
  },
  'screenshots.take': {
    url: 'the public page',
    name: 'the business or product, which has to appear in the page',
  },
}

export const RESEARCH_FIELDS: Readonly<Record<string, Words>> = {
  'research.internal_links': { keyword: ['what the links should be near to', 'the newest pages'] },
  'backlinks.targets': { keyword: 'what the article is about' },
  'backlinks.list': {
    earned_limit: lengthOf(100, 500),
    earned_before_id: ['go on below this link: `earned_before_id` of the answer before', 'the newest'],
    scheduled_limit: lengthOf(50, 200),
    scheduled_before_id: ['go on below this link: `scheduled_before_id` of the answer before', 'the newest'],
  },
  'keywords.search': {
    keyword: 'what to look for; at most ten words',
    project_id: ['whose language and region count', 'English (US), Worldwide'],
    limit: ['keywords in the answer, this one included; more than 50 is lowered to 50', '21'],
    source: ['whose data: the service’s, or the account’s own key', 'what the plan includes'],
  },
  'provider_keys.save': {
    login: 'with `dataforseo`: the login',
    password: 'with `dataforseo`: the API password, which is not that of the account',
    api_key: 'with `ahrefs`: the API key',
  },
}
