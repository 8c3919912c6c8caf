import { lengthOf, type Words } from './word.ts'

const MEDIA: Words = {
  media_files: ['pictures and videos: addresses, or media objects as `POST /social/media` answers them', 'none'],
  'media_files[].type': 'what it is',
  'media_files[].url': 'its public address',
  'media_files[].size': 'bytes',
  'media_files[].width': 'pixels',
  'media_files[].height': 'pixels',
  'media_files[].alt_text': 'what it shows, for those who do not see it',
}

const GOES_OUT =
  'when it goes out; without an offset it is wall time in the project’s zone, and a date alone is that day’s `publish_time`'

const GUIDED = 'whether commenters are answered with a link'

const GUIDE: Words = {
  is_comment_for_guide: [GUIDED, '`true` with `comment_for_guide_config`, else `false`'],
  comment_for_guide_config: 'which commenters are answered, and with what',
  'comment_for_guide_config.match_mode': ['`keyword`: who writes `trigger_keyword`; `all`: everybody', '`keyword`'],
  'comment_for_guide_config.trigger_keyword': 'the word; required with `keyword`',
  'comment_for_guide_config.delivery_method': [
    '`dm` (Instagram only) or an answer everybody sees; `reply` is `public_reply`',
    '`dm`',
  ],
  'comment_for_guide_config.is_active': ['`false`: the rule is saved switched off', '`true`'],
  'comment_for_guide_config.delivery_url': 'the link',
  'comment_for_guide_config.custom_message': [
    'what is said; `{url}` is where the link goes',
    'a sentence with the link',
  ],
}

const PROFILE: Words = {
  account_id: ['the profile, as `GET /social/accounts` lists it', 'the only one that is connected'],
}

const PERSON = 'the `id` of the person'
const DATED = 'when the row was changed; an older row never overwrites a newer one'

export const REACH_FIELDS: Readonly<Record<string, Words>> = {
  'outreach.sync': {
    since: ['a mark of your own, which comes back as `cursor`', 'the one that was sent before'],
    persons: 'at most 1,000 rows. Fields that are not named here are kept as they are sent',
    'persons[].id': 'your own id of the person',
    'persons[].full_name': 'their name',
    'persons[].headline': 'what they say of themselves',
    'persons[].company': 'where they work',
    'persons[].location': 'where they are',
    'persons[].profile_url': 'their page',
    'persons[].email': 'their address',
    'persons[].updated_at': DATED,
    identities: 'at most 1,000 rows: addresses and accounts of persons',
    'identities[].id': 'your own id of the row',
    'identities[].person_id': PERSON,
    'identities[].kind': 'such as `email` or `linkedin`',
    'identities[].value': 'the address or name',
    'identities[].updated_at': DATED,
    leads: 'at most 1,000 rows: where persons stand in a campaign',
    'leads[].id': 'your own id of the row',
    'leads[].person_id': PERSON,
    'leads[].campaign': 'the campaign',
    'leads[].stage': 'how far it is',
    'leads[].updated_at': DATED,
    actions: 'at most 1,000 rows: what was done',
    'actions[].id': 'your own id of the row',
    'actions[].person_id': PERSON,
    'actions[].lead_id': 'the `id` of the lead',
    'actions[].kind': 'such as `email_sent`',
    'actions[].at': 'when',
    'actions[].outcome': 'what came of it',
    'actions[].updated_at': DATED,
    suppressions: 'at most 1,000 rows: who is not to be written to. They are never lifted',
    'suppressions[].id': 'your own id of the row',
    'suppressions[].kind': 'what `value` is',
    'suppressions[].value': 'an address, a domain, or the `id` of a person',
    'suppressions[].reason': 'why',
    'suppressions[].updated_at': DATED,
  },
  'outreach.erase': {
    id: 'the person; this, `address` or both',
    address: 'an address of theirs: an e-mail, a page, a number',
  },
  'social.connect': {
    platform:
      'the network. Bluesky takes `identifier`, `app_password` and `service_url`, Telegram `bot_token` and `chat_id`; without them, and for every other, the answer has the address where a person connects it',
  },
  'social.publish': {
    content: ['the text; each network has its own limit', 'only where the network takes a post without'],
    platforms: 'the networks, one account on each: names, or objects; left out, that of `account_id`',
    'platforms[].platform': 'the network',
    'platforms[].account_id': ['the account', 'the only one that is connected'],
    account_id: ['the account, where one network is named', 'the only one that is connected'],
    link: ['an address that follows the text', 'none'],
    ...MEDIA,
    platform_overrides: [
      'by network: `content`, `link`, `media_files`, or `options` (at most 4,000 characters of JSON) in place of those above',
      'none',
    ],
    scheduled_for: [GOES_OUT, 'now'],
    draft: ['`true`: saved only; `POST /social/posts/:post_id/publish` sends it', '`false`'],
    allow_duplicate: ['`true`: sent although the same post went out within ten minutes', '`false`'],
    ...GUIDE,
  },
  'social.posts': {
    project_id: ['only this project’s', 'all projects of the account'],
    status: ['only these states, with commas between them', 'all'],
    platform: ['only this network', 'all'],
  },
  'social.publish_post': {
    content: ['another text', 'the post’s own'],
    scheduled_for: [GOES_OUT, 'now'],
  },
  'social.comment_for_guide': {
    ...GUIDE,
    is_comment_for_guide: [GUIDED, '`true`'],
    'comment_for_guide_config.delivery_url': ['the link', 'the one the rule has'],
  },
  'profile.status': PROFILE,
  'profile.reviews': {
    ...PROFILE,
    has_reply: ['only reviews with a reply, or without', 'all'],
    min_rating: ['only those of so many stars or more', '1'],
    max_rating: ['only those of so many stars or fewer', '5'],
    sort_by: ['what they are sorted by', '`date`'],
    sort_order: ['`asc` or `desc`', '`desc`'],
    limit: lengthOf(20, 50),
    cursor: ['where to go on: `next_cursor` of the answer before', 'from the first'],
  },
  'profile.reply': { ...PROFILE, review_id: 'the review', message: 'what everybody will read' },
  'profile.remove_reply': {
    ...PROFILE,
    project_id: 'the project; in the body or in the query',
    review_id: 'the review; in the body or in the query',
  },
  'profile.post': {
    ...PROFILE,
    summary: ['the text; goes out now without a `scheduled_date`', '`text`'],
    text: ['the same as `summary`, but without a `scheduled_date` it is saved as a draft', '`summary`'],
    media_url: ['address of a picture', 'none'],
    image_url: ['the same as `media_url`', 'none'],
    link: ['the address of a button `LEARN_MORE`, in place of `call_to_action`', 'none'],
    scheduled_date: ['when it goes out: `YYYY-MM-DD` or `YYYY-MM-DD HH:MM`, in UTC', 'none'],
    call_to_action: ['a button below the post', 'none'],
    allow_duplicate: ['`true`: sent although the same post went out within ten minutes', '`false`'],
    'call_to_action.type': 'what it says',
    'call_to_action.url': 'where it leads',
  },
  'profile.analytics': {
    ...PROFILE,
    days: ['how many days back; more than 90 is lowered to 90', '28'],
  },
  'crowdwork.list': {
    project_id: ['only this project’s', 'all projects of the account'],
    status: ['only these states, with commas between them', 'all'],
    limit: lengthOf(50, 100),
  },
  'crowdwork.create': {
    title: 'what workers read first',
    description: 'what they are to do',
    template_html: 'the form they fill in, as HTML',
    available_positions: ['how many workers', '50'],
    payment_per_task: ['dollars each of them gets', '0.15'],
    platform: ['what lists call the provider', '`microworkers`'],
    campaign_type: ['a note of yours', 'none'],
    category_id: ['the provider’s category', 'its first'],
    minutes_to_finish: ['how long a worker has', '10'],
    ttr: ['days in which a slot is to be rated; after that it is accepted by itself', '3'],
    speed: ['how fast the provider hands it out, 1,000 being the fastest', '300'],
    template_title: ['what the provider calls the form', 'the title'],
    number_of_file_proofs: ['files a worker has to hand in', '0'],
    allowed_file_types: ['endings such as `png`', 'the provider’s'],
  },
  'crowdwork.register': {
    campaign_id: 'the provider’s id of the campaign',
    project_id: ['the project it is for', 'the account’s oldest active project'],
  },
  'crowdwork.slots': {
    page: ['which page', '1'],
    pageSize: ['slots on a page; more than 100 is lowered to 100', '50'],
    page_size: 'another name of `pageSize`',
    status: ['only slots with this rating', 'all'],
  },
  'crowdwork.rate': {
    campaign_id: 'the campaign the slot is of',
    rating: '`OK` pays the worker, `NOK` refuses, `REVISE` sends it back; `OK` and `NOK` are for good',
    comment: 'why; the worker reads it. Required with `NOK` and `REVISE`',
  },
  'crowdwork.spend': { month: ['the month, `YYYY-MM` (UTC)', 'this month'] },
}
