/** Companies that process data for the service: their names, what for, and which data they get. */
export const PROCESSORS = {
  cloudflare: [
    'Cloudflare',
    'runs the service; stores pictures, archives and exports',
    'every request, and these files',
  ],
  neon: [
    'Neon',
    'the database',
    'everything else that is stored: accounts, people, projects, articles, logs of actions',
  ],
  upstash: ['Upstash', 'counts calls and starts work', 'numbers of calls by key, and ids of work'],
  resend: ['Resend', 'sends mails', 'addresses of people, and the mails to them'],
  writer: [
    'The language model',
    'writes articles and posts',
    'instructions, sources and texts of the articles that it writes',
  ],
  images: ['The image model', 'makes pictures', 'descriptions of pictures, made from articles'],
  dataforseo: ['DataForSEO', 'keyword data and answers of AI engines', 'keywords, and prompts about the business'],
  google: [
    'Google',
    'search performance and business profiles, if connected',
    'the site, the profile, posts and replies',
  ],
  stripe: ['Stripe', 'payments', 'the address of the owner, and what is paid'],
  zernio: ['Zernio', 'social networks, if connected', 'posts, their pictures, and the connected accounts'],
  microworkers: ['Microworkers', 'crowdwork', 'texts of campaigns'],
  youtube: ['YouTube', 'finds videos for articles', 'search terms'],
} as const satisfies Record<string, readonly [called: string, does: string, gets: string]>

export type Processor = keyof typeof PROCESSORS

/** Returns processors with their places from a setting: `neon@aws-eu-central-1,stripe`. Unknown names are left out. */
export const processorsIn = (text: string): { name: Processor; place: string }[] =>
  text.split(',').flatMap((part) => {
    const [name = '', place = ''] = part.trim().split('@', 2)
    return Object.hasOwn(PROCESSORS, name) ? [{ name: name as Processor, place }] : []
  })
