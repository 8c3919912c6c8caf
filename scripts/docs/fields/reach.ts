import { lengthOf, type Words } from './word.ts'

const MEDIA: Words = {
  media_files: ['Images and videos: URLs, or media objects as returned by `POST /social/media`.', 'none'],
  'media_files[].type': 'Type of the file.',
  'media_files[].url': 'Public URL of the file.',
  'media_files[].size': 'Size in bytes.',
  'media_files[].width': 'Width in pixels.',
  'media_files[].height': 'Height in pixels.',
  'media_files[].alt_text': 'Alternative text.',
}

const GOES_OUT =
  'Publication time. Without an offset: local time in the project’s time zone. A date alone: that day at `publish_time`.'

const GUIDED = 'True: commenters get an answer with a link.'

const ALLOW_DUPLICATE = 'True: sends the post even if the same post was sent in the last ten minutes.'

const GUIDE: Words = {
  is_comment_for_guide: [GUIDED, '`true` with `comment_for_guide_config`, otherwise `false`'],
  comment_for_guide_config: 'Commenters who get an answer, and its content.',
  'comment_for_guide_config.match_mode': [
    '`keyword`: commenters who write `trigger_keyword`. `all`: everyone.',
    '`keyword`',
  ],
  'comment_for_guide_config.trigger_keyword': 'Keyword in the comment. Required with `keyword`.',
  'comment_for_guide_config.delivery_method': [
    '`dm`: private message (Instagram only). `public_reply` or `reply`: public answer.',
    '`dm`',
  ],
  'comment_for_guide_config.is_active': ['False: saves the rule without enabling it.', '`true`'],
  'comment_for_guide_config.delivery_url': 'Link in the answer.',
  'comment_for_guide_config.custom_message': [
    'Text of the answer. `{url}` marks the position of the link.',
    'a sentence with the link',
  ],
}

const PROFILE: Words = {
  account_id: ['ID of the profile, as listed by `GET /social/accounts`.', 'the only connected profile'],
}

const ROW_ID = 'Your own ID of the row.'
const PERSON = '`id` of the person.'
const DATED = 'Time of the last change of the row. An older row never overwrites a newer one.'

export const REACH_FIELDS: Readonly<Record<string, Words>> = {
  'outreach.sync': {
    since: ['Marker of your own, returned as `cursor`.', 'the previous value'],
    persons: 'Persons, at most 1,000 rows. Other fields are stored as sent.',
    'persons[].id': 'Your own ID of the person.',
    'persons[].full_name': 'Full name.',
    'persons[].headline': 'Headline of their profile.',
    'persons[].company': 'Company.',
    'persons[].location': 'Location.',
    'persons[].profile_url': 'URL of their profile.',
    'persons[].email': 'Email address.',
    'persons[].updated_at': DATED,
    identities: 'Addresses and accounts of persons, at most 1,000 rows.',
    'identities[].id': ROW_ID,
    'identities[].person_id': PERSON,
    'identities[].kind': 'Kind of identity, such as `email` or `linkedin`.',
    'identities[].value': 'Address or account name.',
    'identities[].updated_at': DATED,
    leads: 'Progress of persons in a campaign, at most 1,000 rows.',
    'leads[].id': ROW_ID,
    'leads[].person_id': PERSON,
    'leads[].campaign': 'Name of the campaign.',
    'leads[].stage': 'Stage of the lead.',
    'leads[].updated_at': DATED,
    actions: 'Actions that were taken, at most 1,000 rows.',
    'actions[].id': ROW_ID,
    'actions[].person_id': PERSON,
    'actions[].lead_id': '`id` of the lead.',
    'actions[].kind': 'Kind of action, such as `email_sent`.',
    'actions[].at': 'Time of the action.',
    'actions[].outcome': 'Outcome of the action.',
    'actions[].updated_at': DATED,
    suppressions: 'People who must not be contacted, at most 1,000 rows. A suppression cannot be removed.',
    'suppressions[].id': ROW_ID,
    'suppressions[].kind': 'Kind of `value`.',
    'suppressions[].value': 'Address, domain, or `id` of a person.',
    'suppressions[].reason': 'Reason.',
    'suppressions[].updated_at': DATED,
  },
  'outreach.erase': {
    id: 'ID of the person. Send this, `address` or both.',
    address: 'Address of the person: email address, URL or phone number.',
  },
  'social.connect': {
    platform:
      'Social network. Bluesky takes `identifier`, `app_password` and `service_url`. Telegram takes `bot_token` and `chat_id`. Without them, and for all other networks, the response has a URL at which a person connects the account.',
  },
  'social.publish': {
    content: [
      'Text of the post. Each network has its own length limit.',
      'none, if the network accepts posts without text',
    ],
    platforms: ['Networks, one account on each: names or objects.', 'the network of `account_id`'],
    'platforms[].platform': 'Social network.',
    'platforms[].account_id': ['ID of the account.', 'the only connected account'],
    account_id: ['ID of the account, if you name one network.', 'the only connected account'],
    link: ['URL to add after the text.', 'none'],
    ...MEDIA,
    platform_overrides: [
      'Other values per network: `content`, `link`, `media_files` or `options` (at most 4,000 characters of JSON).',
      'none',
    ],
    scheduled_for: [GOES_OUT, 'now'],
    draft: ['True: only saves the post. Send it with `POST /social/posts/:post_id/publish`.', '`false`'],
    allow_duplicate: [ALLOW_DUPLICATE, '`false`'],
    ...GUIDE,
  },
  'social.posts': {
    project_id: ['Returns only posts of this project.', 'all projects of the account'],
    status: ['Returns only posts with these statuses, separated by commas.', 'all'],
    platform: ['Returns only posts on this network.', 'all'],
  },
  'social.publish_post': {
    content: ['New text of the post.', 'the saved text'],
    scheduled_for: [GOES_OUT, 'now'],
  },
  'social.comment_for_guide': {
    ...GUIDE,
    is_comment_for_guide: [GUIDED, '`true`'],
    'comment_for_guide_config.delivery_url': ['Link in the answer.', 'the current link of the rule'],
  },
  'profile.status': PROFILE,
  'profile.reviews': {
    ...PROFILE,
    has_reply: ['Returns only reviews with a reply (true) or without one (false).', 'all'],
    min_rating: ['Minimum number of stars.', '1'],
    max_rating: ['Maximum number of stars.', '5'],
    sort_by: ['Sort key.', '`date`'],
    sort_order: ['Sort order, `asc` or `desc`.', '`desc`'],
    limit: lengthOf(20, 50),
    cursor: ['Position to continue from: `next_cursor` of the previous response.', 'starts with the first'],
  },
  'profile.reply': { ...PROFILE, review_id: 'ID of the review.', message: 'Public text of the reply.' },
  'profile.remove_reply': {
    ...PROFILE,
    project_id: 'ID of the project, in the body or in the query.',
    review_id: 'ID of the review, in the body or in the query.',
  },
  'profile.post': {
    ...PROFILE,
    summary: ['Text of the post. Without `scheduled_date`, the post goes out now.', '`text`'],
    text: ['The same as `summary`. Without `scheduled_date`, the post is saved as a draft.', '`summary`'],
    media_url: ['URL of an image.', 'none'],
    image_url: ['The same as `media_url`.', 'none'],
    link: ['URL of a button `LEARN_MORE`. Use it instead of `call_to_action`.', 'none'],
    scheduled_date: ['Publication time, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM`, in UTC.', 'none'],
    call_to_action: ['Button below the post.', 'none'],
    allow_duplicate: [ALLOW_DUPLICATE, '`false`'],
    'call_to_action.type': 'Type of the button.',
    'call_to_action.url': 'URL of the button.',
  },
  'profile.analytics': {
    ...PROFILE,
    days: ['Number of days. Values above 90 are reduced to 90.', '28'],
  },
  'crowdwork.list': {
    project_id: ['Returns only campaigns of this project.', 'all projects of the account'],
    status: ['Returns only campaigns with these statuses, separated by commas.', 'all'],
    limit: lengthOf(50, 100),
  },
  'crowdwork.create': {
    title: 'Title that workers see first.',
    description: 'Instructions for the workers.',
    template_html: 'Form for the workers, as HTML.',
    available_positions: ['Number of workers.', '50'],
    payment_per_task: ['Payment per worker in dollars.', '0.15'],
    platform: ['Name of the provider in lists.', '`microworkers`'],
    campaign_type: ['Note of your own.', 'none'],
    category_id: ['Category at the provider.', 'the provider’s first category'],
    minutes_to_finish: ['Time limit for a worker, in minutes.', '10'],
    ttr: ['Days to rate a slot. After that, the slot is accepted automatically.', '3'],
    speed: ['Speed at which the provider offers the work. 1,000 is the fastest.', '300'],
    template_title: ['Title of the form at the provider.', 'the title'],
    number_of_file_proofs: ['Number of files that a worker must submit.', '0'],
    allowed_file_types: ['File extensions, such as `png`.', 'the provider’s defaults'],
  },
  'crowdwork.register': {
    campaign_id: 'Provider’s ID of the campaign.',
    project_id: ['ID of the project of the campaign.', 'the account’s oldest active project'],
  },
  'crowdwork.slots': {
    page: ['Page number.', '1'],
    pageSize: ['Slots per page. Values above 100 are reduced to 100.', '50'],
    page_size: 'The same as `pageSize`.',
    status: ['Returns only slots with this rating.', 'all'],
  },
  'crowdwork.rate': {
    campaign_id: 'ID of the slot’s campaign.',
    rating: '`OK` pays the worker, `NOK` refuses the work, `REVISE` sends it back. `OK` and `NOK` are final.',
    comment: 'Reason, which the worker reads. Required with `NOK` and `REVISE`.',
  },
  'crowdwork.spend': { month: ['Month, `YYYY-MM` (UTC).', 'the current month'] },
}
